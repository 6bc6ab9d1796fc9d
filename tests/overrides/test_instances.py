"""Instances of subclasses: what their class is given later, and their memory, which nobody sees used again (row 8)."""

import gc
import sys
import weakref

import numpy
import pytest

import fastnp as np


def subclass(*bases, **members):
    """Return a new subclass of the array."""
    return type("Sub", bases or (np.ndarray,), members)


def used(cls, count=50):
    """Make and drop instances, so that memory of some waits."""
    s = np.ones(3).view(cls)
    for _ in range(count):
        s + s
    return s


def test_what_a_class_is_given_later_counts():
    """Whether a class has a hook or a finalizer is remembered; a change of the class, or of a base, is seen."""
    log = []

    def finalize(self, source):
        log.append("finalize")

    @classmethod
    def hook(cls, func, types, args=(), kwargs=None):
        log.append(func.__name__)
        return NotImplemented if func is np.sum else "hooked"

    def array_ufunc(self, *args, **kwargs):
        log.append("ufunc")
        return "ufunc"

    base = subclass()
    derived = subclass(base)
    for changed in (base, derived):
        s = used(derived)
        assert log == []
        changed.__array_finalize__ = finalize
        assert type(s + s) is derived
        assert type(s[:2]) is derived
        assert log == ["finalize"] * 2
        del changed.__array_finalize__
        assert type(s + s) is derived
        changed.__torch_function__ = hook
        assert s + s == np.exp(s) == s.T == "hooked"
        assert log[2:] == ["__add__", "exp", "__get__"]
        del changed.__torch_function__
        changed.__array_ufunc__ = array_ufunc
        assert s + s == "ufunc"
        del changed.__array_ufunc__
        changed.__array_finalize__ = None
        assert type(s + s) is derived
        del changed.__array_finalize__
        log.clear()


def test_attributes_do_not_come_back():
    cls = subclass()
    s = used(cls)
    for number in range(100):
        other = s + s
        assert vars(other) == {}
        other.info = [number]
        other.__dict__["more"] = number
    assert not hasattr(s + s, "info")


def test_attributes_are_released_with_their_instance():
    cls = subclass()
    held = []
    for _ in range(3):
        instance = used(cls)
        instance.cls_of_attribute = subclass()
        held.append(weakref.ref(instance.cls_of_attribute))
    del instance
    gc.collect()
    assert [reference() for reference in held] == [None] * 3


def test_weak_references_die():
    s = used(subclass())
    dead = []
    for _ in range(5):
        reference = weakref.ref(s + s, dead.append)
        assert reference() is None
    assert len(dead) == 5


def test_cycles_are_collected():
    cls = subclass()
    s = used(cls)
    references = []
    for _ in range(5):
        other = s + s
        other.me = other
        references.append(weakref.ref(other))
    del other
    gc.collect()
    assert [reference() for reference in references] == [None] * 5
    assert gc.is_tracked(s + s)
    assert not any(type(found) is cls and found is not s for found in gc.get_objects())


def test_long_chains_end():
    cls = subclass()
    chain = None
    for _ in range(100_000):
        link = np.zeros(1).view(cls)
        link.next = chain
        chain = link
    del chain, link


def test_classes_die():
    cls = subclass()
    used(cls)
    reference = weakref.ref(cls)
    del cls
    gc.collect()
    assert reference() is None
    for _ in range(20):  # at addresses that were used before
        assert type(used(subclass()) + 1).__name__ == "Sub"


def test_class_of_an_instance_changes():
    one, other = subclass(), subclass()
    for _ in range(40):
        s = used(one, 2) + 1
        s.info = 1
        s.__class__ = other
        assert s.info == 1
        assert type(s + s) is other
        t = np.ones(2).view(other) + 1
        t.__class__ = one
    assert vars(used(one)) == vars(used(other)) == {}


@pytest.mark.parametrize("members", [
    {}, {"__slots__": ()}, {"__slots__": ("a", "b")}, {"__slots__": ("a", "b"), "__del__": lambda self: None},
    {"__del__": lambda self: None},
])
def test_classes_below_a_class(members):
    """A class below one whose instances' memory is used again, whatever it adds, and with a mixin before it."""

    class Mixin:
        extra = 1

    base = subclass()
    used(base)
    for cls in (subclass(base, **members), subclass(Mixin, base, **members), subclass(np.ndarray, **members)):
        for _ in range(40):
            s = used(cls, 2)
            if "__slots__" in members and "a" in members["__slots__"]:
                s.a = [1]
            assert type(s + s) is cls
        used(base)


def test_finalizers_run_and_may_resurrect():
    kept = []

    def keep(self):
        kept.append(self)

    cls = subclass()
    s = used(cls)
    cls.__del__ = keep
    s + s
    assert len(kept) == 1
    assert kept[0].tolist() == [2.0, 2.0, 2.0]
    del cls.__del__
    resurrected = kept.pop()
    assert gc.is_tracked(resurrected)
    del resurrected
    cls.__del__ = lambda self: kept.append(1)
    s + s
    s + s
    assert kept == [1, 1]
    del cls.__del__


def test_live_instances_share_nothing():
    s = used(subclass())
    alive = [s + number for number in range(100)]
    assert len({id(item) for item in alive}) == 100
    assert [float(item[0]) for item in alive] == [1.0 + number for number in range(100)]
    views = [item[1:] for item in alive]
    del alive
    more = [s * 7 for _ in range(100)]
    assert [float(view[0]) for view in views] == [1.0 + number for number in range(100)]
    assert len(more) == 100


def test_counts_of_references():
    """An instance holds its class once, while it lives."""
    cls = subclass()
    s = used(cls)
    before = sys.getrefcount(cls)
    alive = [s + s for _ in range(100)]
    assert sys.getrefcount(cls) == before + 100
    for item in alive[::2]:
        item.info = 1
    del alive, item
    assert sys.getrefcount(cls) == before


@pytest.mark.parametrize("other", [1, 2.5, numpy.float64(2), numpy.ones(3), np.ones(3), [1, 2, 3], True])
def test_in_place_is_in_place(other):
    s = np.ones(3).view(subclass())
    same = s
    s += other
    assert s is same
    assert s.tolist() == (numpy.ones(3) + numpy.asarray(other)).tolist()
