"""Products of matrices and the flags of a processor."""

import numpy as np

from roclab._core.products import product


def test_product_definition():
    left, right = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    assert product(left, right).tolist() == [
        [sum(left[i, k] * right[k, j] for k in range(3)) for j in range(4)] for i in range(2)
    ]


def test_flags_of_the_processor_are_not_told():
    # np.inf * 0 raises the same flag as a stray lane does; with warnings as errors this would end the call
    assert np.isnan(product(np.array([[np.inf]]), np.array([[0.0]]))[0, 0])
