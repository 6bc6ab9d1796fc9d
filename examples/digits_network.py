"""Teach a small neural network to read digits: back propagation written out by hand, trained with Adam.

Usage: python digits_network.py [--save OUT.npz]
"""

import argparse
import itertools
import time

import numpy as np
from sklearn.datasets import load_digits


class Dense:
    """A layer of weights and biases that remembers what Adam needs."""

    def __init__(self, rng, inputs, outputs):
        self.values = [rng.normal(0.0, 1 / np.sqrt(inputs), (inputs, outputs)), np.zeros(outputs)]
        self.first = [np.zeros_like(value) for value in self.values]
        self.second = [np.zeros_like(value) for value in self.values]

    def forward(self, x):
        self.x = x
        weight, bias = self.values
        return x @ weight + bias

    def backward(self, upstream):
        self.gradients = [self.x.T @ upstream, upstream.sum(axis=0)]
        return upstream @ self.values[0].T

    def step(self, count, rate, decay=(0.9, 0.999)):
        for value, gradient, first, second in zip(self.values, self.gradients, self.first, self.second):
            first *= decay[0]
            first += (1 - decay[0]) * gradient
            second *= decay[1]
            second += (1 - decay[1]) * gradient**2
            value -= rate * (first / (1 - decay[0] ** count)) / (np.sqrt(second / (1 - decay[1] ** count)) + 1e-8)


class Network:
    """Dense layers with tanh between them and softmax behind the last."""

    def __init__(self, rng, sizes):
        self.layers = [Dense(rng, *pair) for pair in itertools.pairwise(sizes)]

    def probabilities(self, x):
        self.active = []
        for layer in self.layers[:-1]:
            x = np.tanh(layer.forward(x))
            self.active.append(x)
        scores = self.layers[-1].forward(x)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)

    def learn(self, x, target, count, rate):
        """Take one step downhill and return the mean cross entropy before it."""
        probability = self.probabilities(x)
        row = np.arange(len(x))
        loss = -np.log(probability[row, target]).mean()
        upstream = probability.copy()
        upstream[row, target] -= 1
        upstream /= len(x)
        for layer, y in zip(self.layers[:0:-1], self.active[::-1]):
            upstream = layer.backward(upstream) * (1 - y**2)
        self.layers[0].backward(upstream)
        for layer in self.layers:
            layer.step(count, rate)
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="OUT.npz", help="keep the result")
    options = parser.parse_args()

    digits = load_digits()
    x = np.array(digits.data) / 8 - 1
    target = np.array(digits.target)

    start = time.perf_counter()
    rng = np.random.default_rng(3)
    order = rng.permutation(len(x))
    train, test = order[:1400], order[1400:]
    network = Network(rng, (64, 48, 32, 10))
    batch, epochs, count = 28, 60, 0
    curve = np.empty((epochs, 2))
    for epoch in range(epochs):
        losses = []
        for chosen in rng.permutation(train).reshape(-1, batch):
            count += 1
            losses.append(network.learn(x[chosen], target[chosen], count, rate=0.002))
        guess = network.probabilities(x[test]).argmax(axis=1)
        curve[epoch] = np.mean(losses), np.mean(guess == target[test])
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1:2d}: loss {curve[epoch, 0]:.5f}, {curve[epoch, 1]:.2%} of new digits read")
    wrong = np.flatnonzero(guess != target[test])
    seconds = time.perf_counter() - start

    pairs = zip(target[test][wrong], guess[wrong])
    print(f"misread {len(wrong)} of {len(test)}:", ", ".join(f"{meant} as {read}" for meant, read in pairs))
    if options.save:
        np.savez(options.save, curve=curve, wrong=wrong, weights=network.layers[0].values[0], seconds=seconds)


if __name__ == "__main__":
    main()
