"use strict";
/* Draws what the element "plots" lists into the canvases of the page, in their order. */
(() => {
	const plots = JSON.parse(document.getElementById("plots").textContent);
	const places = [...document.querySelectorAll(".plot")];
	const drawn = new Map();

	const color = (name) =>
		getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
	const seriesColor = (i) => color("s" + ((i % 4) + 1));
	const number = (value, unit) => {
		const digits = unit === "s" || value < 10 ? 2 : value < 100 ? 1 : 0;
		return value
			.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
			.replace(/,/g, "\u202f");
	};
	const tick = (value) => value.toLocaleString("en").replace(/,/g, "\u202f");
	const font = (px) => `${px}px ${getComputedStyle(document.body).fontFamily}`;

	/* The next round number above, so that the axis ends with a tick. */
	function roundUp(value) {
		const step = 10 ** Math.floor(Math.log10(value || 1)) / 5;
		return Math.ceil(value / step) * step;
	}

	/* Entries: {color, text, kind: "box", "line" or "dash"}. */
	function legend(place, entries) {
		const list = document.createElement("ul");
		list.className = "legend";
		for (const entry of entries) {
			const item = document.createElement("li");
			const swatch = document.createElement("span");
			swatch.className = "swatch";
			if (entry.kind === "dash") {
				swatch.style.borderTop = `2px dashed ${entry.color}`;
				swatch.style.height = "0.3em";
			} else {
				swatch.style.background = entry.color;
				if (entry.kind === "line")
					swatch.style.height = "0.2em";
				swatch.style.verticalAlign = "middle";
			}
			item.append(swatch, entry.text);
			list.append(item);
		}
		const old = place.previousElementSibling;
		if (old && old.classList.contains("legend"))
			old.remove();
		place.before(list);
	}

	function axis(title, more) {
		return {
			grid: { color: color("line"), drawTicks: false },
			border: { display: false },
			ticks: {
				color: color("muted"), padding: 6, maxRotation: 0, includeBounds: false,
				autoSkipPadding: 14, callback: tick,
			},
			title: { display: Boolean(title), text: title, color: color("muted") },
			...more,
		};
	}

	function options(scales, more) {
		return {
			animation: false,
			responsive: true,
			maintainAspectRatio: false,
			plugins: { legend: { display: false }, ...(more && more.plugins) },
			scales,
			...(more && more.rest),
		};
	}

	/* ---- bars: a row a phase or configuration ------------------------------------ */

	/* The longest bar that is shown whole: figures of the cache dwarf those of the link. */
	function barLimit(plot) {
		const wire = plot.rows.filter((row) => !row.cached);
		const shown = wire.length > 0 ? wire : plot.rows;
		return Math.max(...shown.flatMap((row) => [row.value, row.high || 0, row.ceiling || 0]));
	}

	/* Whisker and ceiling of each bar, and the figures in a column of their own. */
	const barMarks = {
		id: "barMarks",
		afterDatasetsDraw(chart, args, settings) {
			const { ctx, scales } = chart;
			const { plot, limit } = settings;
			ctx.save();
			ctx.textAlign = "right";
			ctx.textBaseline = "middle";
			ctx.font = font(12);
			plot.rows.forEach((row, i) => {
				const bar = chart.getDatasetMeta(0).data[i];
				const at = (value) => scales.x.getPixelForValue(Math.min(value, limit));
				const half = Math.min(bar.height / 2, 9);
				ctx.strokeStyle = color("ink");
				ctx.lineWidth = 1.5;
				if (row.low !== undefined) {
					ctx.beginPath();
					ctx.moveTo(at(row.low), bar.y);
					ctx.lineTo(at(row.high), bar.y);
					for (const x of [at(row.low), at(row.high)]) {
						ctx.moveTo(x, bar.y - 4);
						ctx.lineTo(x, bar.y + 4);
					}
					ctx.stroke();
				}
				if (row.ceiling) {
					ctx.lineWidth = 2;
					ctx.beginPath();
					ctx.moveTo(at(row.ceiling), bar.y - half - 2);
					ctx.lineTo(at(row.ceiling), bar.y + half + 2);
					ctx.stroke();
				}
				ctx.fillStyle = color("ink");
				ctx.fillText(number(row.value, plot.unit), chart.width - 2, bar.y);
				if (row.value > limit) {
					ctx.textAlign = "left";
					ctx.fillText("\u2192", at(limit) + 3, bar.y);
					ctx.textAlign = "right";
				}
			});
			ctx.restore();
		},
	};

	function bars(place, plot) {
		const limit = barLimit(plot);
		const series = [...new Set(plot.rows.map((row) => row.series))];
		const colors = plot.rows.map((row) => seriesColor(series.indexOf(row.series)));
		place.style.height = `${plot.rows.length * 28 + 56}px`;
		if (series.length > 1)
			legend(place, series.map((text, i) => ({ color: seriesColor(i), text })));
		return {
			type: "bar",
			data: {
				labels: plot.rows.map((row) => row.label),
				datasets: [{
					data: plot.rows.map((row) => Math.min(row.value, limit)),
					backgroundColor: colors,
					barThickness: 16,
				}],
			},
			options: options(
				{
					x: axis(plot.unit, { min: 0, max: roundUp(limit) }),
					y: axis("", {
						grid: { display: false },
						ticks: {
							color: color("ink"), autoSkip: false, font: { size: 12 },
							callback(i) { return this.getLabelForValue(i); },
						},
					}),
				},
				{
					plugins: {
						barMarks: { plot, limit },
						tooltip: { enabled: false },
					},
					rest: { indexAxis: "y", layout: { padding: { right: 76 } } },
				}),
			plugins: [barMarks],
		};
	}

	/* ---- sizes: one way upwards, the other downwards -------------------------------- */

	const sizeLimit = {
		id: "sizeLimit",
		afterDatasetsDraw(chart, args, settings) {
			if (!settings.payload)
				return;
			const { ctx, scales, chartArea } = chart;
			const x = scales.x.getPixelForValue(settings.payload);
			const text = `MTU ${tick(settings.mtu)}`;
			ctx.save();
			ctx.strokeStyle = ctx.fillStyle = color("muted");
			ctx.setLineDash([4, 3]);
			ctx.beginPath();
			ctx.moveTo(x, chartArea.top - 14);
			ctx.lineTo(x, chartArea.bottom);
			ctx.stroke();
			ctx.font = font(11);
			ctx.textBaseline = "bottom";
			const left = x + 4 + ctx.measureText(text).width > chartArea.right;
			ctx.textAlign = left ? "right" : "left";
			ctx.fillText(text, left ? x - 4 : x + 4, chartArea.top - 2);
			ctx.restore();
		},
	};

	function sizes(place, plot) {
		const payload = plot.mtu > 28 ? plot.mtu - 28 : 0;
		const largest = Math.max(payload,
			...plot.series.flatMap((s) => s.points.map((p) => p[0])));
		place.style.height = "250px";
		legend(place, plot.series.map((s, i) => ({
			color: seriesColor(i), text: `${s.name} (${i === 0 ? "up" : "down"})`,
		})));
		return {
			type: "bar",
			data: {
				datasets: plot.series.map((s, i) => ({
					label: s.name,
					data: s.points.map(([x, y]) => ({ x, y: i === 0 ? y : -y })),
					backgroundColor: seriesColor(i),
					barThickness: 5,
					minBarLength: 2,
					grouped: false,
				})),
			},
			options: options(
				{
					x: axis("UDP payload, bytes", {
						type: "linear", min: 0, max: roundUp(largest * 1.02), offset: false,
						grid: { display: false },
					}),
					y: axis("datagrams, %", {
						min: -105, max: 105,
						afterBuildTicks(scale) {
							scale.ticks = [-100, -50, 0, 50, 100].map((value) => ({ value }));
						},
						ticks: { color: color("muted"), callback: (v) => Math.abs(v) },
					}),
				},
				{
					plugins: {
						sizeLimit: { payload, mtu: plot.mtu },
						tooltip: {
							callbacks: {
								title: () => "",
								label: (item) =>
									`${item.dataset.label}: ${item.raw.x} bytes, ` +
									`${Math.abs(item.raw.y).toFixed(2)} %`,
							},
						},
					},
					rest: { layout: { padding: { top: 18 } } },
				}),
			plugins: [sizeLimit],
		};
	}

	/* ---- over time --------------------------------------------------------------------- */

	const phaseBands = {
		id: "phaseBands",
		beforeDatasetsDraw(chart, args, settings) {
			const { ctx, scales, chartArea } = chart;
			let labelled = -100;
			ctx.save();
			ctx.font = font(11);
			for (const [begin, end, name] of settings.phases) {
				const x0 = Math.max(scales.x.getPixelForValue(begin), chartArea.left);
				const x1 = Math.min(scales.x.getPixelForValue(end), chartArea.right);
				if (x1 <= x0)
					continue;
				ctx.fillStyle = color("band");
				ctx.fillRect(x0, chartArea.top, Math.max(x1 - x0, 1), chartArea.height);
				const middle = (x0 + x1) / 2;
				if (!settings.named || middle - labelled < 14)
					continue;
				labelled = middle;
				ctx.save();
				ctx.translate(middle, chartArea.top - 4);
				ctx.rotate(-Math.PI / 5);
				ctx.fillStyle = color("muted");
				ctx.fillText(name, 0, 0);
				ctx.restore();
			}
			ctx.restore();
		},
		afterDatasetsDraw(chart, args, settings) {
			const { ctx, scales, chartArea } = chart;
			ctx.save();
			ctx.setLineDash([6, 4]);
			ctx.lineWidth = 1.5;
			for (const line of settings.ceilings) {
				const y = scales.y.getPixelForValue(line.value);
				ctx.strokeStyle = line.color;
				ctx.beginPath();
				ctx.moveTo(chartArea.left, y);
				ctx.lineTo(chartArea.right, y);
				ctx.stroke();
			}
			ctx.restore();
		},
	};

	function timeData(s, i, step) {
		return {
			type: s.style === "bars" ? "bar" : "line",
			label: s.name,
			data: s.values.map((y, k) => ({ x: (k + 0.5) * step, y })),
			borderColor: seriesColor(i),
			backgroundColor: seriesColor(i),
			borderWidth: s.style === "bars" ? 0 : 1.5,
			pointRadius: 0,
			barThickness: 3,
			grouped: false,
			order: -i,
		};
	}

	function time(place, plot) {
		const length = Math.max(...plot.series.map((s) => s.values.length)) * plot.step;
		const ceilings = plot.series
			.map((s, i) => ({ value: s.ceiling, color: seriesColor(i), name: s.name }))
			.filter((line) => line.value);
		const named = plot.unit !== "packets" && plot.phases.length > 0;
		const head = named ? 80 : 10;
		place.style.height = `${(plot.unit === "packets" ? 170 : 300) + head}px`;
		legend(place, [
			...plot.series.map((s, i) => ({
				color: seriesColor(i), text: s.name, kind: s.style === "bars" ? "box" : "line",
			})),
			...ceilings.map((line) => ({
				color: line.color, kind: "dash",
				text: `ceiling of ${line.name}: ${number(line.value, plot.unit)} ${plot.unit}`,
			})),
		]);
		return {
			type: "line",
			data: { datasets: plot.series.map((s, i) => timeData(s, i, plot.step)) },
			options: options(
				{
					x: axis("seconds", { type: "linear", min: 0, max: length, offset: false,
						grid: { display: false } }),
					y: axis(plot.unit, {
						min: 0,
						afterFit(scale) { scale.width = 72; }, /* plots stand below each other */
						suggestedMax: Math.max(0, ...ceilings.map((line) => line.value)) * 1.05,
					}),
				},
				{
					plugins: {
						phaseBands: { phases: plot.phases, ceilings, named },
						tooltip: {
							mode: "x", intersect: false,
							callbacks: {
								title: (items) =>
									items.length ? `${items[0].raw.x.toFixed(2)} s` : "",
								label: (item) => `${item.dataset.label}: ` +
									`${number(item.raw.y, plot.unit)} ${plot.unit}`,
							},
						},
					},
					rest: { layout: { padding: { top: head, right: 48 } }, parsing: false },
				}),
			plugins: [phaseBands],
		};
	}

	/* ---- all of them -------------------------------------------------------------------- */

	const kinds = { bars, sizes, time };

	function draw(i) {
		const place = places[i];
		const canvas = place.querySelector("canvas");
		if (drawn.has(i))
			drawn.get(i).destroy();
		drawn.set(i, new Chart(canvas, kinds[plots[i].kind](place, plots[i])));
	}

	/* Hidden ones have no size yet: they are drawn when their part is opened. */
	function drawAll() {
		Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
		places.forEach((place, i) => {
			if (plots[i] && !place.closest("details:not([open])"))
				draw(i);
		});
	}

	for (const part of document.querySelectorAll("details"))
		part.addEventListener("toggle", () => {
			places.forEach((place, i) => {
				if (part.open && part.contains(place) && !drawn.has(i))
					draw(i);
			});
		});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
	drawAll();
})();
