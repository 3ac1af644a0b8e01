/** White where its contrast suffices (WCAG 2.2, 4.5 to 1), otherwise black. `color` is `rgb(…)`. */
export function inkOn(color) {
  const [red, green, blue] = color.match(/[\d.]+/g).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return 1.05 / (luminance + 0.05) >= 4.5 ? '#ffffff' : '#000000'
}
