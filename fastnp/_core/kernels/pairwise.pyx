"""einsum of any plain arrays, two operands at a time: each step is a sum, a product of elements or one of matrices.

NumPy's einsum is one loop over all labels at once, whose length is the product of their sizes; a step here has the
labels of two operands. Which two are next is chosen by what their product adds to what is kept, as `einsum_path` does, and
nothing larger than the largest operand or the result is ever made.
"""
from libc.stdint cimport int8_t, int64_t, uint64_t
from libc.string cimport memcmp

from fastnp._core.assign cimport ORDER_C, ORDER_K, assign, astype, copy_array
from fastnp._core.dtype cimport FLOAT16, INT8, ITEMSIZES, NUM_NUMPY_DTYPES, UINT64
from fastnp._core.engine cimport MAX_OPERANDS, Operand
from fastnp._core.kernels.summed_products cimport summed_products
from fastnp._core.loops cimport LoopTable, Resolution, fill_operand, new_result, silence, table_of
from fastnp._core.ndarray cimport MAXDIMS, dtype_of, ndarray
from fastnp._core.reduction cimport reduce_plain
from fastnp._core.views cimport Layout, fill_layout, restrided, strided_view

import numpy

cdef extern from "einsum.h" namespace "fastnp" nogil:
    void strides_of_result(int count, const Operand* operands, const int8_t (*maps)[64], int labels, const int64_t* sizes,
                           int kept, int dtype, int64_t* strides)

cdef extern from *:
    int __builtin_ctzll(uint64_t) nogil
    int __builtin_popcountll(uint64_t) nogil

cdef LoopTable ADD = table_of(numpy.add)
cdef LoopTable MULTIPLY = table_of(numpy.multiply)
cdef object NOTHING = numpy._NoValue

cdef enum:
    DOTS = -1       # stands for the ellipsis until the dimensions are known
    LETTERS = 52


cdef inline uint64_t bit(int label) noexcept nogil:
    return <uint64_t>1 << label


cdef inline void append(Term* term, int label) noexcept nogil:
    term.label[term.ndim] = <int8_t>label
    term.labels |= bit(label)
    term.ndim += 1


cdef inline void append_all(Term* term, uint64_t labels) noexcept nogil:
    while labels:
        append(term, __builtin_ctzll(labels))
        labels &= labels - 1


cdef int axis_of(const Term* term, int label) noexcept nogil:
    cdef int axis
    for axis in range(term.ndim):
        if term.label[axis] == label:
            return axis
    return -1


cdef bint are_labels_apart(const Term* term) noexcept:
    return __builtin_popcountll(term.labels) == term.ndim


cdef bint has_order(const Term* term, const Term* order) noexcept nogil:
    return term.ndim == order.ndim and memcmp(term.label, order.label, term.ndim) == 0


# --- subscripts -------------------------------------------------------------------------------------------------------

cdef bint read_term(str text, Py_ssize_t* place, Term* term) except -1:
    """Read what stands before the next comma or arrow; False where it is not letters, spaces and one ellipsis."""
    cdef Py_ssize_t length = len(text)
    cdef Py_UCS4 letter
    cdef bint dots = False
    term.ndim, term.labels = 0, 0
    while place[0] < length:
        letter = text[place[0]]
        if letter == u"," or letter == u"-":
            break
        place[0] += 1
        if letter == u" ":
            continue
        if term.ndim == MAXDIMS:
            return False
        if u"A" <= letter <= u"Z":
            append(term, <int>letter - <int>u"A")
        elif u"a" <= letter <= u"z":
            append(term, 26 + <int>letter - <int>u"a")
        elif letter == u"." and not dots and text[place[0]:place[0] + 2] == "..":
            place[0] += 2
            dots = True
            term.label[term.ndim] = DOTS
            term.ndim += 1
        else:
            return False
    return True


cdef bint expand(Term* term, int ndim) noexcept:
    """Put axes in the place of the ellipsis, numbered from the last one; False where the dimensions do not fit."""
    cdef Term given = term[0]
    cdef int dots = axis_of(&given, DOTS), axes, axis, place
    axes = ndim - given.ndim + 1
    if (given.ndim != ndim if dots < 0 else not 0 <= axes <= LABELS - LETTERS):
        return False
    term.ndim, term.labels = 0, 0
    for place in range(given.ndim):
        if place != dots:
            append(term, given.label[place])
            continue
        for axis in range(axes):
            append(term, LABELS - axes + axis)
    return True


cdef bint parse(str text, tuple operands, Subscripts* found) except -1:
    """Read subscripts of these operands (behind the text); False where NumPy has to say what they mean."""
    cdef Py_ssize_t place = 0, length = len(text)
    cdef int part, widest = 0, label, axis
    cdef uint64_t seen = 0, again = 0
    cdef ndarray array
    found.count = <int>len(operands) - 1
    for part in range(found.count):
        array = <ndarray>operands[part + 1]
        if part > 0:
            if place >= length or text[place] != ",":
                return False
            place += 1
        if not read_term(text, &place, &found.terms[part]) or not expand(&found.terms[part], <int>array.header.dim()):
            return False
        for axis in range(found.terms[part].ndim):
            label = found.terms[part].label[axis]
            again |= seen & bit(label)
            seen |= bit(label)
    for label in range(LABELS - 1, LETTERS - 1, -1):
        if not seen >> label & 1:
            break
        widest += 1
    if place == length:
        found.result.ndim, found.result.labels = 0, 0
        append_all(&found.result, seen >> LETTERS << LETTERS)
        append_all(&found.result, seen & ~again & bit(LETTERS) - 1)
        return True
    if text[place:place + 2] != "->":
        return False
    place += 2
    if not read_term(text, &place, &found.result) or place != length:
        return False
    if axis_of(&found.result, DOTS) < 0:
        if widest:
            return False
    elif not expand(&found.result, found.result.ndim - 1 + widest):
        return False
    for axis in range(found.result.ndim):
        if axis_of(&found.result, found.result.label[axis]) != axis:
            return False
    return not found.result.labels & ~seen


cdef int check_diagonal(const Term* term, const int64_t* sizes, int operand) except -1:
    """Raise ValueError for a diagonal of no elements and some: NumPy returns those of other memory."""
    cdef int axis, label
    if are_labels_apart(term):
        return 0
    for axis in range(term.ndim):
        label = term.label[axis]
        if sizes[axis] != 0 and sizes[axis_of(term, label)] == 0:
            name = chr(label + (<int>u"A" if label < 26 else <int>u"a" - 26)) if label < LETTERS else "..."
            raise ValueError(
                f"dimensions in operand {operand} for collapsing index {name!r} don't match (0 != {sizes[axis]})")
    return 0


cdef bint measure(tuple operands, Subscripts* found) except -1:
    """Fill in the size of each label; False where operands disagree, or have no elements."""
    cdef int part, axis, label
    cdef int64_t size
    cdef const int64_t* sizes
    cdef Term* term
    for label in range(LABELS):
        found.size[label] = 1
    for part in range(found.count):
        term = &found.terms[part]
        sizes = (<ndarray>operands[part + 1]).header.sizes()
        check_diagonal(term, sizes, part)
        for axis in range(term.ndim):
            label, size = term.label[axis], sizes[axis]
            if size == 0 or size != sizes[axis_of(term, label)] or (
                    size != 1 and found.size[label] != 1 and found.size[label] != size):
                return False
            if size != 1:
                found.size[label] = size
    return True


# --- views ------------------------------------------------------------------------------------------------------------

cdef ndarray without_repeats(ndarray array, Term* term, bint drops):
    """Return a view with each label once: the diagonal of those that stand twice; without axes of one element if `drops`."""
    cdef Term given = term[0]
    cdef Layout source, layout
    cdef int axis, place
    fill_layout(array, &source)
    layout.ndim, layout.offset = 0, source.offset
    term.ndim, term.labels = 0, 0
    for axis in range(given.ndim):
        if drops and source.shape[axis] == 1:
            continue
        place = axis_of(term, given.label[axis])
        if place >= 0:
            layout.strides[place] += source.strides[axis]
            continue
        layout.shape[layout.ndim], layout.strides[layout.ndim] = source.shape[axis], source.strides[axis]
        layout.ndim += 1
        append(term, given.label[axis])
    return array if layout.ndim == source.ndim else strided_view(array, &layout)


cdef ndarray in_order_of(ndarray array, const Term* term, const Term* order):
    """Return a view with the axes in another order, and one of one element where there is none."""
    cdef Layout source, layout
    cdef int axis, own
    if has_order(term, order):
        return array
    fill_layout(array, &source)
    layout.ndim, layout.offset = order.ndim, source.offset
    for axis in range(order.ndim):
        own = axis_of(term, order.label[axis])
        layout.shape[axis] = source.shape[own] if own >= 0 else 1
        layout.strides[axis] = source.strides[own] if own >= 0 else 0
    return strided_view(array, &layout)


cdef bint fold(const Layout* source, const Term* term, const Term* groups, int count, Layout* folded) noexcept:
    """Describe axes as one for each group of labels; False where memory is not in their order, or BLAS cannot read it."""
    cdef int group, place, axis, last
    cdef int64_t step
    folded.ndim, folded.offset = count, source.offset
    for group in range(count):
        folded.shape[group], folded.strides[group] = 1, 1
        for place in range(groups[group].ndim):
            axis = axis_of(term, groups[group].label[place])
            step = source.strides[axis]
            if step <= 0 or place > 0 and folded.strides[group] != step * source.shape[axis]:
                return False
            folded.shape[group] *= source.shape[axis]
            folded.strides[group] = step
    last = count - 1
    if last == 0:
        return True
    # Of the two axes of a matrix, one is packed and the other's lines lie apart.
    if folded.shape[last - 1] == 1 or folded.shape[last] == 1:
        return folded.strides[last - 1] == 1 or folded.strides[last] == 1
    return folded.strides[last] == 1 and folded.strides[last - 1] >= folded.shape[last] or (
        folded.strides[last - 1] == 1 and folded.strides[last] >= folded.shape[last - 1])


cdef ndarray as_matrices(ndarray array, const Term* term, const Term* groups, int count):
    """Return an array with one axis for each group of labels, a copy where no view is that."""
    cdef Layout source, folded
    cdef Term order
    cdef int group, place
    cdef int64_t step = 1
    fill_layout(array, &source)
    if fold(&source, term, groups, count, &folded):
        return strided_view(array, &folded)
    order.ndim, order.labels = 0, 0
    folded.ndim = count
    for group in range(count):
        folded.shape[group] = 1
        for place in range(groups[group].ndim):
            append(&order, groups[group].label[place])
            folded.shape[group] *= source.shape[axis_of(term, groups[group].label[place])]
    for group in range(count - 1, -1, -1):
        folded.strides[group] = step
        step *= folded.shape[group]
    return restrided(copy_array(in_order_of(array, term, &order), ORDER_C), &folded)


# --- steps ------------------------------------------------------------------------------------------------------------

cdef ndarray summed(ndarray array, Term* term, uint64_t away):
    """Sum over labels; None where there is no such loop."""
    cdef Term given = term[0]
    cdef uint64_t axes = 0
    cdef int axis
    if not away:
        return array
    term.ndim, term.labels = 0, 0
    for axis in range(given.ndim):
        if away >> given.label[axis] & 1:
            axes |= bit(axis)
        else:
            append(term, given.label[axis])
    return reduce_plain(ADD, array, axes, False, dtype_of(array), None, None, NOTHING)


cdef ndarray elements_summed_up(ndarray a, const Term* first, ndarray b, const Term* second, const Term* result, bint in_c_order):
    """Multiply two operands of one dtype element by element and sum over what the result has not, as in "ij,ij->j"; None where
    that is nothing, or either has labels of its own, or one twice."""
    cdef int8_t[MAXDIMS] axes, others
    cdef int label
    cdef uint64_t away = first.labels & ~result.labels
    if not away or first.labels != second.labels or not are_labels_apart(first) or not are_labels_apart(second):
        return None
    for label in range(first.ndim):
        axes[label] = <int8_t>(axis_of(first, result.label[label] if label < result.ndim else __builtin_ctzll(away)))
        others[label] = <int8_t>axis_of(second, first.label[axes[label]])
        if a.header.sizes()[axes[label]] != b.header.sizes()[others[label]]:
            return None
        if label >= result.ndim:
            away &= away - 1
    return summed_products(a, axes, b, others, first.ndim, result.ndim, False, in_c_order)


cdef void pick(const Term* order, uint64_t labels, Term* picked) noexcept:
    """Fill in those of a term's labels that belong to a set, in its order."""
    cdef int place
    picked.ndim, picked.labels = 0, 0
    for place in range(order.ndim):
        if labels >> order.label[place] & 1:
            append(picked, order.label[place])


cdef ndarray product(ndarray a, Term* first, ndarray b, Term* second, uint64_t kept, const Term* order, const int64_t* size):
    """Multiply two operands and sum over the labels that are not kept; `first` becomes the result's.

    `order` is the one that the result's labels had best have in memory. None where there is no loop.
    """
    cdef uint64_t inner, both
    cdef Term left_groups[3]
    cdef Term right_groups[3]
    cdef Term wanted
    cdef Layout layout
    cdef int place
    cdef int64_t step = 1
    cdef bint turned
    cdef ndarray result
    a = summed(a, first, first.labels & ~second.labels & ~kept)
    b = summed(b, second, second.labels & ~first.labels & ~kept)
    if a is None or b is None:
        return None
    inner, both = first.labels & second.labels & ~kept, first.labels & second.labels & kept
    pick(order, (first.labels | second.labels) & kept, &wanted)
    if not inner:
        a, b = in_order_of(a, first, &wanted), in_order_of(b, second, &wanted)
        first[0] = wanted
        return a * b
    result = elements_summed_up(a, first, b, second, &wanted, True)
    if result is not None:
        first[0] = wanted
        return result
    # The operand whose label comes last in memory is the second of the product.
    turned = wanted.ndim > 0 and (first.labels & ~both) >> wanted.label[wanted.ndim - 1] & 1
    if turned:
        a, b = b, a
        first, second = second, first
    # Stack, rows, what is summed; stack, what is summed, columns: those of them that there are.
    pick(&wanted, both, &left_groups[0])
    right_groups[0] = left_groups[0]
    pick(&wanted, first.labels & ~both, &left_groups[1])
    pick(second if b.header.numel() > a.header.numel() else first, inner, &left_groups[2])
    right_groups[1] = left_groups[2]
    pick(&wanted, second.labels & ~both, &right_groups[2])
    wanted = left_groups[0]
    for place in range(left_groups[1].ndim):
        append(&wanted, left_groups[1].label[place])
    for place in range(right_groups[2].ndim):
        append(&wanted, right_groups[2].label[place])
    result = of_matrices(a, first, left_groups, b, second, right_groups)
    if turned:
        first, second = second, first
    first[0] = wanted
    if result is None:
        return None
    layout.ndim, layout.offset = wanted.ndim, 0
    for place in range(wanted.ndim - 1, -1, -1):
        layout.shape[place], layout.strides[place] = size[wanted.label[place]], step
        step *= layout.shape[place]
    if result.header.dim() == wanted.ndim and memcmp(result.header.sizes(), layout.shape, wanted.ndim * sizeof(int64_t)) == 0:
        return result
    return strided_view(result, &layout) if result.header.has_tensor() else restrided(result, &layout)


cdef ndarray of_matrices(ndarray a, const Term* first, const Term* left, ndarray b, const Term* second, const Term* right):
    """Return the product of operands whose labels stand in groups, in C order of stack, rows and columns."""
    cdef bint stacked = left[0].ndim > 0, rows = left[1].ndim > 0, columns = right[2].ndim > 0
    if not stacked:
        a = as_matrices(a, first, left + (1 if rows else 2), 2 if rows else 1)
        b = as_matrices(b, second, right + 1, 2 if columns else 1)
        return a @ b
    return as_matrices(a, first, left, 3) @ as_matrices(b, second, right, 3)


# --- the whole --------------------------------------------------------------------------------------------------------

cdef double elements(uint64_t labels, const int64_t* size) noexcept:
    cdef double count = 1
    while labels:
        count *= size[__builtin_ctzll(labels)]
        labels &= labels - 1
    return count


cdef bint choose(const Subscripts* found, int count, double limit, int* one, int* other) noexcept:
    """Choose the next two terms; False where the product of any two is larger than the limit."""
    cdef int i, j, k
    cdef uint64_t kept
    cdef double size, cost, best = 0
    one[0] = -1
    for i in range(count):
        for j in range(i + 1, count):
            kept = found.result.labels
            for k in range(count):
                if k != i and k != j:
                    kept |= found.terms[k].labels
            size = elements((found.terms[i].labels | found.terms[j].labels) & kept, found.size)
            cost = size - elements(found.terms[i].labels, found.size) - elements(found.terms[j].labels, found.size)
            if size <= limit and (one[0] < 0 or cost < best):
                best, one[0], other[0] = cost, i, j
    return one[0] >= 0


cdef void lay_out(list arrays, const Subscripts* found, int dtype, int64_t* shape, int64_t* strides):
    """Fill in the result's shape and strides (in bytes), as NumPy's iterator chooses them."""
    cdef Operand operands[MAX_OPERANDS]
    cdef int8_t maps[MAX_OPERANDS][MAXDIMS]
    cdef int64_t sizes[MAXDIMS]
    cdef Term labels = found.result
    cdef int part, axis
    cdef uint64_t all_labels = 0
    for part in range(found.count):
        all_labels |= found.terms[part].labels
    append_all(&labels, all_labels & ~labels.labels)
    for axis in range(labels.ndim):
        sizes[axis] = found.size[labels.label[axis]]
        if axis < found.result.ndim:
            shape[axis] = sizes[axis]
    for part in range(found.count):
        fill_operand(&operands[part], <ndarray>arrays[part])
        for axis in range(labels.ndim):
            maps[part][axis] = <int8_t>axis_of(&found.terms[part], labels.label[axis])
    strides_of_result(found.count, operands, maps, labels.ndim, sizes, found.result.ndim, dtype, strides)


cdef void order_by_strides(const Term* term, const int64_t* strides, Term* order) noexcept:
    """Fill in a term's labels, outermost first."""
    cdef int axis, place
    order[0] = term[0]
    for axis in range(1, term.ndim):
        place = axis
        while place > 0 and strides[axis_of(term, order.label[place - 1])] < strides[axis]:
            order.label[place] = order.label[place - 1]
            place -= 1
        order.label[place] = term.label[axis]


cdef ndarray laid_out(ndarray array, const Term* term, const Term* result, const int64_t* shape, const int64_t* strides):
    """Return a new array's elements in the result's order of labels and with these strides: a copy where they lie otherwise."""
    cdef Layout source, layout
    cdef int64_t item = ITEMSIZES[dtype_of(array)]
    cdef int axis, own
    cdef bint fits = True
    cdef ndarray into
    if result.ndim == 0:
        return array
    fill_layout(array, &source)
    layout.ndim, layout.offset = result.ndim, source.offset
    for axis in range(result.ndim):
        own = axis_of(term, result.label[axis])
        layout.shape[axis], layout.strides[axis] = shape[axis], strides[axis] // item
        fits = fits and (own < 0 or source.strides[own] == layout.strides[axis])
    if fits and has_order(term, result):
        return array
    if fits and array.base_ is None and not array.header.has_tensor() and not array.header.holds_value():
        return restrided(array, &layout)
    for axis in range(result.ndim):
        own = axis_of(term, result.label[axis])
        layout.strides[axis] = source.strides[own] if own >= 0 else 0
    into = new_result(dtype_of(array), result.ndim, shape, strides)
    assign(into, strided_view(array, &layout))
    return into


cdef int common_dtype(tuple operands) except -2:
    """Return the dtype that plain operands are multiplied in, or -1 where NumPy has to say it."""
    cdef int dtype = -1, other, part
    cdef Resolution* entry
    cdef ndarray array
    for part in range(1, len(operands)):
        if type(operands[part]) is not ndarray:
            return -1
        array = <ndarray>operands[part]
        other = dtype_of(array)
        # NumPy adds half-precision products in single precision.
        if not array.header.is_plain() or not INT8 <= other < NUM_NUMPY_DTYPES or other == FLOAT16:
            return -1
        if dtype >= 0 and other != dtype:
            entry = MULTIPLY.find(dtype, other)
            if entry.state != 1:
                return -1
            other = entry.types[2]
        dtype = other
    return dtype


cdef object contract(tuple operands, Subscripts* found, int dtype):
    cdef Term term
    if not measure(operands, found):
        return NotImplemented
    if found.count == 1 and found.result.labels == found.terms[0].labels:
        if found.result.ndim == 0:
            return NotImplemented
        term = found.terms[0]
        return in_order_of(without_repeats(<ndarray>operands[1], &term, False), &term, &found.result)
    # NumPy: einsum tells of no overflow.
    silence(True)
    try:
        return by_pairs(list(operands[1:]), found, dtype)
    finally:
        silence(False)


cdef object by_pairs(list arrays, Subscripts* found, int dtype):
    """Multiply operands, as ones of a dtype, two by two until one is left."""
    cdef int64_t shape[MAXDIMS]
    cdef int64_t strides[MAXDIMS]
    cdef int count = found.count, part, i = 0, j = 1
    cdef uint64_t kept
    cdef double limit = elements(found.result.labels, found.size)
    cdef bint elementwise = False
    cdef Term order
    cdef ndarray result
    for part in range(count):
        arrays[part] = without_repeats(<ndarray>arrays[part], &found.terms[part], True)
        limit = max(limit, <double>(<ndarray>arrays[part]).header.numel())
    # (What a cast leaves of an operand that is repeated lies otherwise.)
    lay_out(arrays, found, dtype, shape, strides)
    for part in range(count):
        arrays[part] = astype(<ndarray>arrays[part], dtype, ORDER_K, False)
    while count > 1:
        if count > 2 and not choose(found, count, limit, &i, &j):
            return NotImplemented
        if count == 2:
            i, j = 0, 1
            order_by_strides(&found.result, strides, &order)
        else:
            order = found.terms[i]
            for part in range(found.terms[j].ndim):
                if axis_of(&order, found.terms[j].label[part]) < 0:
                    append(&order, found.terms[j].label[part])
        kept = found.result.labels
        for part in range(count):
            if part != i and part != j:
                kept |= found.terms[part].labels
        elementwise = not found.terms[i].labels & found.terms[j].labels & ~kept
        result = product(<ndarray>arrays[i], &found.terms[i], <ndarray>arrays[j], &found.terms[j], kept, &order, found.size)
        if result is None:
            return NotImplemented
        arrays[i] = result
        count -= 1
        arrays[j] = arrays[count]
        found.terms[j] = found.terms[count]
        del arrays[count]
    result = summed(<ndarray>arrays[0], &found.terms[0], found.terms[0].labels & ~found.result.labels)
    if result is None:
        return NotImplemented
    # NumPy adds each product to a zero: none of its zeros is negative.
    if elementwise and dtype_of(result) > UINT64:
        result += 0.0
    return laid_out(result, &found.terms[0], &found.result, shape, strides)
