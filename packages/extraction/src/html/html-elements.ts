// The elements of HTML by their effect on text.
import type { BlockKind } from '../blocks.ts'
import type { TextStyle } from '../text/text-marks.ts'

const toSet = (names: string) => new Set(names.split(' '))

/**
 * Elements with content that is no text of the page: scripts, menus, options of form fields, and
 * second versions of formulas and ruby text.
 */
const silent = toSet(
  'script style template nav select datalist iframe annotation annotation-xml rp',
)

/** Elements inside of an SVG image with text to read. The others hold drawings, and titles of icons. */
const textOfImages = toSet('text foreignobject')

/** Elements with a separate structure. */
export const structures: Record<string, BlockKind> = {
  blockquote: 'blockquote',
  ul: 'list',
  ol: 'list',
  dl: 'list',
  menu: 'list',
  dir: 'list',
  table: 'table',
  pre: 'code',
  listing: 'code',
  xmp: 'code',
}

/** Elements that begin and end a paragraph. */
const blocks = toSet(
  'address article aside body caption center dd details dialog div dt fieldset figcaption figure footer ' +
    'form frameset header hgroup hr legend li main nav noframes noscript optgroup p plaintext search ' +
    'section summary td textarea tfoot th thead tr h1 h2 h3 h4 h5 h6',
)
export const isBlock = (name: string) => blocks.has(name)

/** Controls stand apart in a line. Unknown elements are drawn by a script, mostly as boxes. */
export const standsApart = (name: string) =>
  /^(?:button|input|select|label|output|option|iframe|video|audio|object|text)$|-/.test(
    name,
  )

/** Cells of tables by other elements than those of tables. */
export const isCell = ({ role = '' }: Record<string, string>) =>
  /^(?:cell|gridcell|columnheader|rowheader)$/.test(role)

/** Why text is not read; an image is only silent outside of its text elements. */
export type Silence = 'element' | 'image' | null

/** Returns the silence inside of an element. `withMenus` reads `nav` elements, too. */
export function silenceIn(
  outer: Silence,
  name: string,
  attributes: Record<string, string>,
  withMenus: boolean,
): Silence {
  if (outer === 'image' && textOfImages.has(name.toLowerCase())) return null
  if (outer !== null) return outer
  if (name === 'svg') return 'image'
  if (name === 'nav' && withMenus) return null
  // A browser shows the template of a declarative shadow root.
  if (name === 'template' && attributes.shadowrootmode !== undefined) return null
  return silent.has(name) || isDrawing(name, attributes) ? 'element' : null
}

const hasClass = ({ class: names = '' }: Record<string, string>, name: string) =>
  names.split(/\s+/).includes(name)

/** Formulas that MathJax 2 draws without MathML; their source follows in a script. */
export const isDrawing = (name: string, attributes: Record<string, string>) =>
  hasClass(attributes, 'MathJax_Preview') ||
  (name !== 'mjx-container' &&
    hasClass(attributes, 'MathJax') &&
    attributes['data-mathml'] === undefined)

/** Whether the element may hold several versions of a formula: of KaTeX, MathJax and MediaWiki. */
export const hasVersions = (name: string, attributes: Record<string, string>) =>
  name === 'mjx-container' ||
  ['katex', 'MathJax', 'mwe-math-element'].some((one) => hasClass(attributes, one))

/** Whether the element holds a formula as KaTeX draws it. */
export const isKatex = (attributes: Record<string, string>) =>
  hasClass(attributes, 'katex-html')

/** Whether a script is the source of a formula in TeX. */
export const isTex = ({ type = '' }: Record<string, string>) => /^math\/tex\b/i.test(type)

/** Returns the style of text inside of an element: by its name, its attribute `style`,
 * or the class of a common library. */
export function styleIn(
  outer: TextStyle,
  name: string,
  { style = '', class: names = '' }: Record<string, string>,
): TextStyle {
  if (name === 'sup' || /vertical-align\s*:\s*super\b/i.test(style))
    return { ...outer, isRaised: true, isLowered: false }
  if (name === 'sub' || /vertical-align\s*:\s*sub\b/i.test(style))
    return { ...outer, isLowered: true, isRaised: false }
  const isStruck =
    /^(?:s|del|strike)$/.test(name) ||
    /text-decoration[\w-]*\s*:[^;]*line-through/i.test(style) ||
    /(?:^|\s)line-through(?:\s|$)/.test(names)
  return isStruck ? { ...outer, isStruck } : outer
}

/** The level of headings without a level: questions of accordions. */
export const questionLevel = 7

/** Returns the level of a heading, or 0. */
export function headingLevel(name: string, attributes: Record<string, string>): number {
  if (/^h[1-6]$/.test(name)) return Number(name[1])
  if (attributes.role === 'heading')
    return Math.min(Math.max(Math.trunc(Number(attributes['aria-level'])) || 2, 1), 6)
  return name === 'summary' || isAccordionButton(name, attributes) ? questionLevel : 0
}

const isAccordionButton = (name: string, attributes: Record<string, string>) =>
  (name === 'button' || attributes.role === 'button') &&
  attributes['aria-expanded'] !== undefined &&
  attributes['aria-controls'] !== undefined &&
  attributes['aria-haspopup'] === undefined

/** Returns the text that an element without content shows. */
export function getAlternativeText(
  name: string,
  { alt, type, value }: Record<string, string>,
): string {
  if (name === 'img' || name === 'area') return alt ?? ''
  if (name !== 'input') return ''
  if (/^image$/i.test(type ?? '')) return alt ?? ''
  return /^(?:button|submit|reset)$/i.test(type ?? '') ? (value ?? '') : ''
}
