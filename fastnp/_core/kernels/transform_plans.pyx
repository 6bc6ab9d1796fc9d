"""What MKL planned for transforms and is kept: seen and forgotten. (A module of its own: the transforms import NumPy's.)"""
from libc.stdint cimport int64_t

cdef extern from "planned_transforms.h" namespace "fastnp":
    cppclass PlanCounts "fastnp::TransformPlans::Counts":
        int64_t plans, bytes
    cppclass TransformPlans:
        PlanCounts counts()
        void clear()
    TransformPlans& transform_plans()


def plan_counts():
    """Return how many plans are kept, and about how many bytes they take."""
    cdef PlanCounts counts = transform_plans().counts()
    return {"plans": counts.plans, "plan_bytes": counts.bytes}


def clear_plans():
    """Forget every plan."""
    transform_plans().clear()
