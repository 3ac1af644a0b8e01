// The words of the page in the language of the visitor. Each language is a file in `texts/` with the
// same keys; the server's errors and the bot's messages stay as they are.
import en from './texts/en.js'

const languages = {
  ar: () => import('./texts/ar.js'),
  de: () => import('./texts/de.js'),
  es: () => import('./texts/es.js'),
  fr: () => import('./texts/fr.js'),
  pt: () => import('./texts/pt.js'),
}
const rightToLeft = ['ar']

let texts = en
export let language = 'en'

/** Returns a text, with its `{names}` replaced. */
export const t = (key, values = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))

/** Uses these texts in place of the page's, in an application with its own translations. */
export function setTexts(own) {
  texts = { ...texts, ...own }
}

/**
 * Loads the first of these languages, such as `pt-BR`, that the page has, and translates the elements
 * with `data-text`, `data-label` and `data-hint`. The page stays English if none fits.
 */
export async function speak(wanted) {
  const codes = wanted.map((tag) => String(tag).toLowerCase().split(/[-_]/)[0])
  const code = codes.find((one) => one === 'en' || Object.hasOwn(languages, one)) ?? 'en'
  if (code !== language) texts = code === 'en' ? en : (await languages[code]()).default
  language = code
  document.documentElement.lang = code
  document.documentElement.dir = rightToLeft.includes(code) ? 'rtl' : 'ltr'
  for (const node of document.querySelectorAll('[data-text]'))
    node.textContent = t(node.dataset.text)
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', t(node.dataset.label))
  for (const node of document.querySelectorAll('[data-hint]'))
    node.placeholder = t(node.dataset.hint)
}
