// The loops of blas.h, which includes this once for each width of vectors: FASTNP_TARGET is what they are compiled for.

// Of a vector with itself each element is read once; AHEAD asks for what comes later.
template <class Type, bool ITSELF, bool AHEAD>
FASTNP_TARGET typename Type::Item dot_of(const typename Type::Item* a, const typename Type::Item* b, int64_t n) {
    constexpr int64_t w = sizeof(typename Type::Vector) / sizeof(typename Type::Item);
    auto s0 = Type::repeat(0), s1 = s0, s2 = s0, s3 = s0;
    int64_t i = 0;
    for (; i + 4 * w <= n; i += 4 * w) {
        if constexpr (AHEAD)
            for (int64_t line = i; line < i + 4 * w; line += kLine<Type>) {
                ask_ahead(a + line);
                if constexpr (!ITSELF) ask_ahead(b + line);
            }
        const auto a0 = Type::load(a + i), a1 = Type::load(a + i + w);
        const auto a2 = Type::load(a + i + 2 * w), a3 = Type::load(a + i + 3 * w);
        s0 = Type::add_product(a0, ITSELF ? a0 : Type::load(b + i), s0);
        s1 = Type::add_product(a1, ITSELF ? a1 : Type::load(b + i + w), s1);
        s2 = Type::add_product(a2, ITSELF ? a2 : Type::load(b + i + 2 * w), s2);
        s3 = Type::add_product(a3, ITSELF ? a3 : Type::load(b + i + 3 * w), s3);
    }
    for (; i + w <= n; i += w) s0 = Type::add_product(Type::load(a + i), Type::load(b + i), s0);
    typename Type::Item sum = Type::total(Type::add(Type::add(s0, s1), Type::add(s2, s3)));
    for (; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

template <class Type>
typename Type::Item dot_packed(const typename Type::Item* a, const typename Type::Item* b, int64_t n, bool ahead = false) {
    if (a == b) return (ahead ? dot_of<Type, true, true> : dot_of<Type, true, false>)(a, b, n);
    return (ahead ? dot_of<Type, false, true> : dot_of<Type, false, false>)(a, b, n);
}

// The same; of a long product in parts, which several threads may compute, and which are the same where one does.
template <class Type>
typename Type::Item dot_in_parts(const typename Type::Item* a, const typename Type::Item* b, int64_t n) {
    if (n < kSplitFrom) return dot_packed<Type>(a, b, n);
    constexpr int64_t kParts = 16;
    typename Type::Item sums[kParts];
    const int64_t length = (n + kParts - 1) / kParts;
    const bool ahead = asks_ahead((a == b ? 1 : 2) * n * static_cast<int64_t>(sizeof(typename Type::Item)));
    const auto compute = [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part)
            sums[part] = dot_packed<Type>(a + part * length, b + part * length, std::min(length, n - part * length), ahead);
    };
    if (may_split(n))
        split(kParts, 1, length, compute);
    else
        compute(0, kParts);
    for (int64_t part = 1; part < kParts; ++part) sums[0] += sums[part];
    return sums[0];
}

// The products of lines, four at a time: of short ones what is added up at the end of each is most of it, of long ones
// memory gives more where several places are read in turn.
template <class Type>
FASTNP_TARGET void dot_lines(const typename Type::Item* matrix, const typename Type::Item* vector,
                                   typename Type::Item* into, int64_t columns, int64_t begin, int64_t end) {
    constexpr int64_t w = sizeof(typename Type::Vector) / sizeof(typename Type::Item);
    const int64_t whole = columns / w * w, rest = columns - whole;
    int64_t row = begin;
    for (; row + 4 <= end; row += 4) {
        const typename Type::Item* const line = matrix + row * columns;
        auto s0 = Type::repeat(0), s1 = s0, s2 = s0, s3 = s0;
        for (int64_t i = 0; i < whole; i += w) {
            const auto v = Type::load(vector + i);
            s0 = Type::add_product(Type::load(line + i), v, s0);
            s1 = Type::add_product(Type::load(line + columns + i), v, s1);
            s2 = Type::add_product(Type::load(line + 2 * columns + i), v, s2);
            s3 = Type::add_product(Type::load(line + 3 * columns + i), v, s3);
        }
        if (rest) {
            const auto v = Type::load_first(vector + whole, rest);
            s0 = Type::add_product(Type::load_first(line + whole, rest), v, s0);
            s1 = Type::add_product(Type::load_first(line + columns + whole, rest), v, s1);
            s2 = Type::add_product(Type::load_first(line + 2 * columns + whole, rest), v, s2);
            s3 = Type::add_product(Type::load_first(line + 3 * columns + whole, rest), v, s3);
        }
        into[row] = Type::total(s0);
        into[row + 1] = Type::total(s1);
        into[row + 2] = Type::total(s2);
        into[row + 3] = Type::total(s3);
    }
    for (; row < end; ++row) into[row] = dot_packed<Type>(matrix + row * columns, vector, columns);
}

// into[column] = sum of vector[row] * matrix[row][column] over the rows, for columns [begin, end).
template <class Type>
FASTNP_TARGET void add_rows(const typename Type::Item* matrix, const typename Type::Item* vector, typename Type::Item* into,
                            int64_t rows, int64_t columns, int64_t begin, int64_t end) {
    constexpr int64_t w = sizeof(typename Type::Vector) / sizeof(typename Type::Item);
    for (int64_t i = begin; i < end; ++i) into[i] = 0;
    int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        const typename Type::Item* const line = matrix + row * columns;
        const typename Type::Item* const v = vector + row;
        const auto v0 = Type::repeat(v[0]), v1 = Type::repeat(v[1]), v2 = Type::repeat(v[2]), v3 = Type::repeat(v[3]);
        int64_t i = begin;
        for (; i + w <= end; i += w) {
            auto sum = Type::add_product(v0, Type::load(line + i), Type::load(into + i));
            sum = Type::add_product(v1, Type::load(line + columns + i), sum);
            sum = Type::add_product(v2, Type::load(line + 2 * columns + i), sum);
            Type::store(into + i, Type::add_product(v3, Type::load(line + 3 * columns + i), sum));
        }
        for (; i < end; ++i)
            into[i] += v[0] * line[i] + v[1] * line[columns + i] + v[2] * line[2 * columns + i] + v[3] * line[3 * columns + i];
    }
    for (; row < rows; ++row)
        for (int64_t i = begin; i < end; ++i) into[i] += vector[row] * matrix[row * columns + i];
}

template <class Type>
void multiply_lines(const void* matrix, const void* vector, void* out, int64_t rows, int64_t columns, bool turned) {
    using Item = typename Type::Item;
    const Item *const a = static_cast<const Item*>(matrix), *const b = static_cast<const Item*>(vector);
    Item* const into = static_cast<Item*>(out);
    const bool splits = may_split(rows * columns);
    if (turned) {
        const auto part = [=](int64_t begin, int64_t end) { add_rows<Type>(a, b, into, rows, columns, begin, end); };
        return splits ? split(columns, 64, rows, part) : part(0, columns);
    }
    // Whether threads share the rows, or each of a few: that must not depend on how many there are.
    const bool shared = rows >= kManyRows || rows * columns < kSplitFrom;
    const auto part = [=](int64_t begin, int64_t end) {
        if (shared) return dot_lines<Type>(a, b, into, columns, begin, end);
        for (int64_t row = begin; row < end; ++row) into[row] = dot_in_parts<Type>(a + row * columns, b, columns);
    };
    splits && shared ? split(rows, 4, columns, part) : part(0, rows);
}
