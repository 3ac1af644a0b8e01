// Elements of the widget, which depend on no style of the website.

export function element(name, attributes, style) {
  const created = Object.assign(document.createElement(name), attributes)
  Object.assign(created.style, style)
  return created
}

export const bubblePath = 'M4 5h16v11H9l-5 4z'
export const crossPath = 'M6 6l12 12M18 6 6 18'

export function icon(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const attributes = {
    viewBox: '0 0 24 24',
    width: 28,
    height: 28,
    'aria-hidden': 'true',
  }
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value)
  const style = { fill: 'none', stroke: 'currentColor', strokeWidth: '2' }
  Object.assign(svg.style, style, { strokeLinejoin: 'round' })
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

export function picture(src) {
  const style = { width: '100%', height: '100%', objectFit: 'cover' }
  const image = element('img', { src, alt: '', referrerPolicy: 'no-referrer' }, style)
  image.addEventListener('error', () => image.replaceWith(icon(bubblePath)))
  return image
}
