"""What keeps a test of hostile input within its memory."""

import resource

import pytest


@pytest.fixture(scope="module")
def bounded_memory(request):
    """Let the process have its module's `MEMORY` more than it has, so that what asks for terabytes is an error."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + request.module.MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
