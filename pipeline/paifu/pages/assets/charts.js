// Draws the charts of a page, in the page's own colours, and again when these change.
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const drawn = [];

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const range = dark.matches
      ? ["#7db8f0", "#f2a65a", "#7fd6a0", "#f08a8a", "#c9a6f0", "#e3d36b"]
      : ["#1f66b0", "#b8560b", "#1c7a45", "#b02a2a", "#6a3fa0", "#7a6a00"];
    const text = { labelColor: of("--ink"), titleColor: of("--ink") };
    return {
      background: "transparent",
      font: getComputedStyle(document.body).fontFamily, // "inherit" could not be measured
      view: { stroke: "transparent" },
      axis: { ...text, gridColor: of("--line"), domainColor: of("--soft"), tickColor: of("--soft"), labelFontSize: 12, labelSeparation: 8, titleFontSize: 12, titleFontWeight: "normal" },
      legend: { ...text, labelFontSize: 12, titleFontSize: 12 },
      title: { color: of("--ink") },
      mark: { color: range[0] },
      rule: { color: range[0] },
      tick: { color: of("--soft") },
      range: { category: range },
    };
  }

  async function draw(block) {
    const place = block.previousElementSibling;
    const spec = JSON.parse(block.textContent);
    delete spec.config;
    const config = colours();
    if (place.clientWidth < 480) config.axis = { ...config.axis, labelLimit: 110 };
    const shown = await vegaEmbed(place, spec, { renderer: "svg", actions: false, config, tooltip: true });
    const image = place.querySelector("svg");
    image.setAttribute("role", "img");
    image.setAttribute("aria-label", spec.description || "");
    for (const name of ["role", "aria-roledescription", "aria-label"]) place.removeAttribute(name);
    for (const form of place.querySelectorAll("form:empty")) form.remove();
    for (const part of image.querySelectorAll("[role], [aria-roledescription]")) {
      for (const name of ["role", "aria-roledescription", "aria-label", "aria-hidden"]) part.removeAttribute(name);
    }
    drawn.push(shown);
  }

  async function drawAll() {
    while (drawn.length) drawn.pop().finalize();
    for (const block of document.querySelectorAll("script.spec")) await draw(block);
    document.documentElement.dataset.drawn = "true";
  }
  dark.addEventListener("change", drawAll);
  drawAll();
})();
