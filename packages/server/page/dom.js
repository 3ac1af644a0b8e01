// Creates elements. Text always becomes a text node, and addresses are checked here, so a message
// cannot become markup or code.

/**
 * Creates an element: `element('a', { class: 'file', href }, 'text', node …)`. Omits properties
 * that are null, undefined or false. Functions become event listeners.
 */
export function element(name, properties = {}, ...children) {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') created.addEventListener(key, value)
    else created.setAttribute(key, value === true ? '' : value)
  }
  created.append(...children.filter((child) => child !== null && child !== undefined))
  return created
}

/**
 * Returns an http or https address, otherwise null: `javascript:` and the like never reach an
 * attribute.
 */
export function webAddress(text) {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

/**
 * Like webAddress, but also returns data URLs of images, audio or video, which run no code in their
 * elements.
 */
export function mediaAddress(text, kind) {
  if (
    typeof text === 'string' &&
    new RegExp(`^data:${kind}/[\\w.+-]+(;[\\w=.-]+)*;base64,`, 'i').test(
      text.slice(0, 200),
    )
  )
    return text
  return webAddress(text)
}

export const link = (href, properties, ...children) =>
  element(
    'a',
    { href, target: '_blank', rel: 'noopener noreferrer', ...properties },
    ...children,
  )
