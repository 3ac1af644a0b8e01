// Writes the content of an OpenDocument text or presentation as HTML.
import type { XmlHandlers } from '../office/office-xml.ts'
import type { DocumentStyle, DocumentStyles } from './document-styles.ts'

/** Elements with content that a reader of the document does not see, or sees elsewhere. */
const silent = new Set([
  'annotation',
  'tracked-changes',
  'forms',
  'hidden-paragraph',
  'hidden-text',
  'note-citation',
  'sequence-decls',
  'table-of-content',
  'event-listeners',
  'covered-table-cell',
])

/** Elements of HTML that mean the same. */
const sameMeaning: Record<string, string> = {
  'list-header': 'div',
  'note-body': 'div',
  'text-box': 'div',
  notes: 'div',
  page: 'div',
  ruby: 'ruby',
  'ruby-text': 'rt',
  table: 'table',
  'table-header-rows': 'thead',
  'table-row': 'tr',
}

const maxRepeatedCells = 100
const maxSpaces = 1_000

type Attributes = Record<string, string>

export class OpenDocumentHtml implements XmlHandlers {
  readonly #styles: DocumentStyles
  readonly #isRead: (tag: string) => boolean
  readonly #objects: Map<string, string>
  readonly #pieces: string[] = []
  /** Ends of the open elements; null for silent ones. */
  readonly #ends: (string | null)[] = []
  /** Styles of the open lists, the outermost first. */
  readonly #lists: string[] = []
  /** The next numbers of lists that other lists continue, by style. */
  readonly #next = new Map<string, number>()
  #read = 0
  #silent = 0
  #isTitle = false

  /** `isRead` says whether the content of an element is read; `objects` are HTML by their folder. */
  constructor(
    styles: DocumentStyles,
    isRead: (tag: string) => boolean,
    objects: Map<string, string>,
  ) {
    this.#styles = styles
    this.#isRead = isRead
    this.#objects = objects
  }

  open = (tag: string, attributes: Attributes): void => {
    if (this.#isRead(tag)) this.#read++
    if (silent.has(tag) || this.#isHidden(tag, attributes)) {
      this.#silent++
      this.#ends.push(null)
    } else this.#ends.push(this.#isHere ? this.#start(tag, attributes) : '')
  }

  text = (content: string): void => {
    if (this.#isHere) this.#pieces.push(escaped(content))
  }

  close = (tag: string): void => {
    const end = this.#ends.pop()
    if (end === null) this.#silent--
    else if (end !== undefined && this.#isHere) this.#end(tag, end)
    if (this.#isRead(tag)) this.#read--
  }

  end = (): string => this.#pieces.join('')

  get #isHere(): boolean {
    return this.#read > 0 && this.#silent === 0
  }

  #isHidden(tag: string, attributes: Attributes): boolean {
    if (tag === 'section') return attributes.display === 'none'
    return (
      (tag === 'p' || tag === 'h' || tag === 'span') && this.#style(attributes).isHidden
    )
  }

  #style({ 'style-name': name = '' }: Attributes): DocumentStyle {
    const own = this.#styles.texts.get(name)
    const parent = this.#styles.texts.get(own?.parent ?? '')
    return {
      parent: '',
      isRaised: own?.isRaised || parent?.isRaised || false,
      isLowered: own?.isLowered || parent?.isLowered || false,
      isStruck: own?.isStruck || parent?.isStruck || false,
      isHidden: own?.isHidden || parent?.isHidden || false,
    }
  }

  /** Writes the beginning of an element, and returns its end. */
  #start(tag: string, attributes: Attributes): string {
    const same = sameMeaning[tag]
    if (same !== undefined) return this.#write(same)
    switch (tag) {
      case 'h':
        return this.#write(`h${levelIn(attributes)}`, this.#style(attributes))
      case 'p':
        return this.#write(this.#isTitle ? 'h1' : 'p', this.#style(attributes))
      case 'span':
        return this.#write('', this.#style(attributes))
      case 'list':
        return this.#startList(attributes)
      case 'list-item':
        return this.#write('li', {}, numberFrom(attributes))
      case 'table-cell':
        return this.#write('td', {}, spansFrom(attributes))
      case 'frame':
        this.#isTitle = attributes.class === 'title'
        return this.#write('div')
      case 'object':
        return this.#insert(attributes)
      default:
        return this.#writeCharacter(tag, attributes)
    }
  }

  #writeCharacter(tag: string, { c }: Attributes): string {
    if (tag === 's')
      this.#pieces.push(' '.repeat(Math.min(Number(c ?? 1) || 1, maxSpaces)))
    else if (tag === 'tab') this.#pieces.push('\t')
    else if (tag === 'line-break') this.#pieces.push('<br>')
    // The title and the description of a picture stand apart from the text around it.
    else if (tag === 'title' || tag === 'desc') return this.#apart()
    return ''
  }

  #apart(): string {
    this.#pieces.push(' ')
    return ' '
  }

  #insert({ href = '' }: Attributes): string {
    this.#pieces.push(this.#objects.get(href.replace(/^\.\//, '')) ?? '')
    return ''
  }

  #write(name: string, style: Partial<DocumentStyle> = {}, attributes = ''): string {
    const names = [
      name,
      style.isStruck ? 's' : '',
      style.isRaised ? 'sup' : '',
      style.isLowered ? 'sub' : '',
    ].filter((one) => one !== '')
    this.#pieces.push(...names.map((one, at) => `<${one}${at === 0 ? attributes : ''}>`))
    return names
      .reverse()
      .map((one) => `</${one}>`)
      .join('')
  }

  #startList({
    'style-name': name,
    'continue-numbering': continues,
  }: Attributes): string {
    const style = name ?? this.#lists.at(-1) ?? ''
    this.#lists.push(style)
    const format = this.#styles.lists.get(style)?.get(this.#lists.length)
    if (!format) return this.#write('ul')
    const start = continues === 'true' ? (this.#next.get(style) ?? 1) : 1
    if (this.#lists.length === 1) this.#next.set(style, start)
    return this.#write('ol', {}, ` type="${escaped(format)}" start="${start}"`)
  }

  #end(tag: string, end: string): void {
    this.#pieces.push(end)
    const style = this.#lists[0] ?? ''
    if (tag === 'list') this.#lists.pop()
    else if (tag === 'list-item' && this.#lists.length === 1)
      this.#next.set(style, (this.#next.get(style) ?? 1) + 1)
    else if (tag === 'frame') this.#isTitle = false
  }
}

const levelIn = ({ 'outline-level': level }: Attributes) =>
  Math.min(Math.max(Math.trunc(Number(level)) || 1, 1), 6)

const numberFrom = ({ 'start-value': value }: Attributes) =>
  value === undefined ? '' : ` value="${escaped(value)}"`

function spansFrom(attributes: Attributes): string {
  const columns =
    attributes['number-columns-spanned'] ?? attributes['number-columns-repeated']
  const rows = attributes['number-rows-spanned']
  const colspan =
    columns && ` colspan="${Math.min(Number(columns) || 1, maxRepeatedCells)}"`
  return `${colspan ?? ''}${rows ? ` rowspan="${escaped(rows)}"` : ''}`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
