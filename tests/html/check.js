"use strict";
/* Looks at pages in Chromium, at two widths and in both colour schemes:
 *   check.js CHROMIUM FOLDER NAME=FILE[:OPTION…]…
 * Options: "hostile" (the page names interfaces and hosts that are markup), "plain"
 * (there are no plots, and it says why).  Prints "ok NAME" or "not ok NAME: why" a
 * case; screenshots go to FOLDER. */
const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser, load, screenshot } = require("./browser.js");

const WIDTHS = [1280, 390];
const SCHEMES = ["light", "dark"];

/* Runs in the page. */
function look() {
	const painted = (canvas) => {
		if (canvas.width === 0 || canvas.height === 0)
			return 0;
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const colors = new Set();
		let pixels = 0;
		for (let i = 0; i < data.length; i += 4) {
			if (data[i + 3] < 200)
				continue;
			pixels++;
			colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
		}
		return colors.size >= 2 ? pixels : 0;
	};
	const spread = [...document.querySelectorAll("body *")].filter((e) =>
		!e.closest(".scroll, pre, details:not([open])") &&
		e.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
	return {
		canvases: [...document.querySelectorAll("canvas")].map(painted),
		width: document.documentElement.scrollWidth,
		spread: spread.map((e) => `${e.tagName}.${e.className}`).slice(0, 3),
		background: getComputedStyle(document.body).backgroundColor,
		ink: getComputedStyle(document.body).color,
		text: document.body.textContent,
		foreign: document.querySelectorAll(
			"img, iframe, object, embed, form, link:not([rel=icon]), [onerror], [onload]").length,
		rows: document.querySelectorAll("tbody tr").length,
		sentences: document.querySelectorAll(".summary li").length,
		scripts: document.scripts.length,
		unlabelled: document.querySelectorAll("canvas:not([aria-label])").length,
	};
}

/* Of relative luminances: WCAG 2.1. */
function contrast(a, b) {
	const luminance = (css) => {
		const [r, g, bl] = css.match(/[\d.]+/g).map((v) => {
			const c = v / 255;
			return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
	};
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

function troubles(tab, url, seen, width, wants) {
	const list = [];
	const say = (bad, text) => bad && list.push(text);
	const foreign = tab.requests.filter((u) => u !== url && !u.startsWith("data:"));
	say(tab.errors.length, `the console says ${tab.errors[0]}`);
	say(foreign.length, `it asks for ${foreign[0]}`);
	say(tab.dialogs.length, `a script of the data ran: ${tab.dialogs[0]}`);
	say(seen.width > width, `it is ${seen.width} wide: ${seen.spread}`);
	say(seen.foreign, "there is markup that no report makes");
	say(seen.sentences === 0, "it has no summary");
	say(seen.rows < 6, `it has ${seen.rows} table rows`);
	say(contrast(seen.ink, seen.background) < 7, "the text has too little contrast");
	say(seen.unlabelled, "a plot has no label");
	if (wants.has("plain")) {
		say(seen.canvases.length || seen.scripts, "there are plots without the library");
		say(!seen.text.includes("libjs-chart.js"), "it does not say what the plots need");
	} else {
		say(seen.canvases.length === 0, "there is no plot");
		seen.canvases.forEach((n, i) => say(n < 500, `plot ${i + 1} is blank (${n} pixels)`));
	}
	if (wants.has("hostile")) {
		say(!seen.text.includes("<img src=x onerror=alert(1)>"), "the name is not shown as it is");
		say(!seen.text.includes("</script><script>alert(2)</script>"),
			"the host is not shown as it is");
	}
	return list;
}

async function check(browser, folder, name, url, wants) {
	const backgrounds = new Set();
	for (const width of WIDTHS)
		for (const scheme of SCHEMES) {
			const tab = await browser.open();
			await load(tab, url, width, scheme);
			await tab.evaluate("document.querySelectorAll('#time details')" +
				".forEach((d) => { d.open = true; }); new Promise((r) => setTimeout(r, 200))");
			const seen = await tab.evaluate(`(${look})()`);
			backgrounds.add(seen.background);
			const list = troubles(tab, url, seen, width, wants);
			writeFileSync(path.join(folder, `${name}-${width}-${scheme}.png`), await screenshot(tab));
			const of = `html/${name} ${width} ${scheme}`;
			console.log(list.length ? `not ok ${of}: ${list.join("; ")}` : `ok ${of}`);
			await tab.close();
		}
	const both = backgrounds.size === SCHEMES.length;
	console.log(both ? `ok html/${name} has two colour schemes`
		: `not ok html/${name} has two colour schemes: ${[...backgrounds]}`);
}

async function main([chromium, folder, ...pages]) {
	const browser = new Browser(chromium);
	try {
		for (const page of pages) {
			const [name, rest] = page.split("=");
			const [file, ...wants] = rest.split(":");
			await check(browser, folder, name, pathToFileURL(file).href, new Set(wants));
		}
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch((error) => {
	console.log(`not ok html/browser: ${error.message}`);
	process.exitCode = 1;
});
