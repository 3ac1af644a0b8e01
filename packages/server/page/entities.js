// In place of the package `entities`, for markdown-it: the browser knows all entities. A text area
// decodes them, and contains no elements.
export function decodeHTMLStrict(text) {
  const area = document.createElement('textarea')
  area.innerHTML = text
  return area.value
}
