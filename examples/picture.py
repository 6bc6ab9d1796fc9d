"""Draw what the programs found, each in a panel of its own."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LightSource, LinearSegmentedColormap

INK, ACCENT, SECOND, FAINT = "#22303c", "#d1495b", "#1f78a4", "#c9d1d8"
WATER = LinearSegmentedColormap.from_list("water", ["#7cc4e8", "#1f8fc4", "#023e8a"])
HILLS = LinearSegmentedColormap.from_list("hills", ["#c5d3b0", "#e3dcc2", "#c8ab85", "#a58468", "#f2ede6"])
DIABETES = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]


def digits_clusters(axes, r):
    axes.set_title("k-means finds the digits")
    framed = np.pad(r["images"], ((0, 0), (1, 1), (1, 1)))
    montage = framed.reshape(2, 5, 10, 10).transpose(0, 2, 1, 3).reshape(20, 50)
    axes.scatter(*r["scores"].T, c=r["label"], cmap="tab10", s=5, lw=0, alpha=0.8)
    axes.set_ylim(-35, 75)
    axes.set_yticks([-20, 0, 20])
    axes.set_xlabel("first principal component")
    axes.set_ylabel("second", loc="bottom", labelpad=2)
    above = axes.inset_axes([0.05, 0.58, 0.9, 0.42])
    above.imshow(montage, cmap="bone_r", interpolation="bicubic", vmin=0)
    above.set_axis_off()


def digits_network(axes, r):
    axes.set_title("a network learns to read them")
    loss, read = r["curve"].T
    epochs = np.arange(1, len(loss) + 1)
    axes.semilogy(epochs, loss, color=INK)
    axes.set_xlabel("epoch")
    axes.set_ylabel("cross entropy", color=INK)
    right = axes.twinx()
    right.plot(epochs, 100 * read, color=ACCENT)
    right.set_ylabel("new digits read, %", color=ACCENT)
    right.spines["top"].set_visible(False)


def image_edges(axes, r):
    axes.set_title("outlines of a photograph")
    grey = np.repeat(0.55 + 0.45 * r["grey"][..., None], 3, axis=2)
    grey[r["fine"]] = matplotlib.colors.to_rgb(SECOND)
    grey[r["coarse"]] = matplotlib.colors.to_rgb(ACCENT)
    axes.imshow(grey)
    axes.set_axis_off()
    axes.set_anchor("N")


def lasso_path(axes, r):
    axes.set_title("what foretells diabetes")
    for name, weights in zip(DIABETES, r["path"].T):
        strong = abs(weights[-1]) > 15
        axes.semilogx(r["penalties"], weights, color=None if strong else FAINT, label=name if strong else None)
    axes.axvline(r["penalties"][r["best"]], color=INK, ls=":", lw=1)
    axes.invert_xaxis()
    axes.set_xlabel("penalty")
    axes.set_ylabel("weight")
    axes.legend(frameon=False, ncols=2)


def price_tracker(axes, r):
    axes.set_title("a price tracked through days without a quote")
    days = slice(440, 720)
    day = np.arange(len(r["seen"]))[days]
    middle, seen = np.exp(r["quotes"].mean(axis=1))[days], r["seen"][days]
    track = np.exp(r["states"][days, :2].mean(axis=1))
    wide = np.exp(2 * r["deviation"][days])
    axes.fill_between(day, track / wide, track * wide, color=SECOND, alpha=0.2, lw=0)
    axes.plot(day, track, color=SECOND, label="tracked")
    axes.plot(day, np.exp(r["smooth"][days, :2].mean(axis=1)), color=ACCENT, label="smoothed")
    axes.scatter(day[seen], middle[seen], s=3, color=INK, label="quoted")
    axes.scatter(day[~seen], middle[~seen], s=5, facecolor="none", edgecolor=INK, lw=0.5, label="hidden")
    axes.set_xlabel("day")
    axes.set_ylabel("dollars")
    axes.legend(frameon=False, ncols=2, loc="lower right")


def rain_on_hills(axes, r):
    axes.set_title("rain finds the valleys")
    axes.imshow(LightSource(azdeg=315, altdeg=45).shade(r["ground"], HILLS, vert_exag=0.03, blend_mode="soft"))
    water = np.ma.masked_less(r["depth"], 0.05)
    axes.imshow(water, cmap=WATER, norm=matplotlib.colors.LogNorm(0.05, 10), interpolation="nearest")
    axes.set_axis_off()
    axes.set_anchor("N")


def draw(results, path):
    """Draw the panels of the programs that ran and return the picture's path."""
    known = (digits_clusters, image_edges, rain_on_hills, digits_network, price_tracker, lasso_path)
    panels = [panel for panel in known if panel.__name__ in results]
    style = {"font.size": 9, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
             "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": INK, "text.color": INK,
             "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "lines.linewidth": 1.3}
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    with plt.rc_context(style):
        figure, grid = plt.subplots(rows, columns, figsize=(5.2 * columns, 3.9 * rows), squeeze=False,
                                    layout="constrained")
        for axes in grid.flat[len(panels):]:
            axes.set_visible(False)
        for axes, panel in zip(grid.flat, panels):
            panel(axes, results[panel.__name__])
        figure.savefig(path, dpi=150)
        plt.close(figure)
    return path
