"""The rule that says which of NumPy's tests are out of scope."""

import re

# What a test must not mention to be kept: dtypes and interfaces that only NumPy has.
OUT_OF_SCOPE = re.compile(
    r"object_?\b|datetime|timedelta|longdouble|longcomplex|float128|complex256|np\.str_|np\.bytes_|StringDType|"
    r"np\.void|record|recarray|np\.matrix|asmatrix|np\.ma\b|newbyteorder|byteorder|swap|_tests\b|getrefcount|"
    r"""['"](?:[<>|=]?[OSUVMmgG]\d*)['"]|np\.typecodes|ctypes|setbufsize|__array_struct__|"""
    r"""dtype\(\[|dtype=\[\(|['"][<>][a-zA-Z]\d""",
)

# The error of a test that a parameter takes out of scope: it asks for a dtype that only NumPy has.
FOREIGN_DTYPE = re.compile(
    r"fastnp arrays cannot hold dtype '(?:object|float128|complex256|timedelta64|datetime64|<U|\|S)"
)
