// Elements as nested calls. Text is always a text node and addresses pass through here: nothing that a bot says becomes markup or code.

/** `element('a', { class: 'file', href }, 'words', node …)`. Properties that are null, undefined or false are left out, functions listen. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(key, value)
    else made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children.filter((child) => child !== null && child !== undefined))
  return made
}

/** The address when it leads to the web, else null: `javascript:` and its kin never reach an attribute. */
export function webAddress(text) {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

/** The same, or a picture, sound or film that the message itself carries. These run no code in their elements. */
export function mediaAddress(text, kind) {
  if (
    typeof text === 'string' &&
    new RegExp(`^data:${kind}/[\\w.+-]+(;[\\w=.-]+)*;base64,`, 'i').test(text.slice(0, 200))
  )
    return text
  return webAddress(text)
}

export const link = (href, properties, ...children) =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer', ...properties }, ...children)
