// Documents in Rich Text Format (1.9.1): headings by style, lists, tables, notes, then headers and footers.
// Omits comments, pictures, and deleted and hidden text.
import { type Block, depthGuard, oneLine, toMargins, UnreadableFile } from '../blocks.ts'
import { marked, type TextStyle } from '../text/text-marks.ts'
import { decodeRtf, type RtfFont } from './rtf-fonts.ts'
import { type Paragraph, RtfStory } from './rtf-story.ts'
import { type RtfToken, rtfTokens } from './rtf-tokens.ts'

/** Throws UnreadableFile. */
export function rtfBlocks(bytes: Uint8Array): Block[] {
  if (!Buffer.from(bytes.subarray(0, 5)).equals(Buffer.from('{\\rtf')))
    throw new UnreadableFile('The file is no document in Rich Text Format')
  const reader = new RtfReader()
  for (const token of rtfTokens(bytes)) reader.read(token)
  return reader.end()
}

/** Groups with content that a reader of the document does not see, or sees elsewhere. */
const silent = new Set(
  (
    'author background category colortbl comment company creatim datafield datastore doccomm ' +
    'fldinst filetbl generator info keywords latentstyles listoverridetable listtable manager ' +
    'nonesttables nonshppict objdata operator password pict private printim revtim revtbl rsidtbl ' +
    'rxe shprslt sp subject tc tcn themedata title txe xe'
  ).split(' '),
)
/** Groups that readers may skip if they do not know them, and that have text. */
const skippableGroups = new Set(['shpinst', 'shptxt', 'shpgrp', 'ud'])

const characters: Record<string, string> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  emspace: '\u2003',
  enspace: '\u2002',
  qmspace: '\u2005',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  zwj: '\u200d',
  zwnj: '\u200c',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
}

type Target = 'story' | 'fonts' | 'styles' | 'label' | 'note' | 'margin'

interface Group {
  target: Target
  /** Whether the target began with this group. */
  isFirst: boolean
  isSilent: boolean
  /** Whether the next group has the same text in another character set. */
  hasAlternative: boolean
  font: number
  /** Characters after `\u` for programs that do not know it. */
  fallbackLength: number
  isHidden: boolean
  style: TextStyle
}

class RtfReader {
  readonly #depth = depthGuard()
  readonly #groups: Group[] = []
  readonly #fonts = new Map<number, RtfFont>()
  /** Levels of headings by the number of their style. */
  readonly #headings = new Map<number, number>()
  /** The innermost last. */
  readonly #stories = [new RtfStory()]
  readonly #margins: Block[] = []
  #group: Group = {
    target: 'story',
    isFirst: false,
    isSilent: false,
    hasAlternative: false,
    font: -1,
    fallbackLength: 1,
    isHidden: false,
    style: {},
  }
  #bytes: number[] = []
  /** Text of a label, or of an entry in the tables of fonts and styles. */
  #entry = ''
  #paragraph: Paragraph = { headingLevel: 0, isInTable: false }
  #codePage = 1252
  #defaultFont = -1
  #styleNumber = 0
  #fallback = 0
  #mayBeUnknown = false

  read(token: RtfToken): void {
    if (token.kind === 'byte') this.#readByte(token.byte)
    else if (token.kind === 'word') this.#readWord(token.name, token.number)
    else {
      this.#flush()
      this.#fallback = 0
      if (token.kind === 'open') this.#openGroup()
      else this.#closeGroup()
    }
  }

  end(): Block[] {
    this.#flush()
    return [...this.#stories[0]!.end(), ...toMargins(this.#margins)]
  }

  get #story(): RtfStory {
    return this.#stories.at(-1)!
  }

  #readByte(byte: number): void {
    if (this.#fallback > 0) this.#fallback--
    else if (!this.#group.isSilent) this.#bytes.push(byte)
  }

  #openGroup(): void {
    this.#depth.opened()
    this.#groups.push(this.#group)
    const isSilent = this.#group.isSilent || this.#group.hasAlternative
    this.#group.hasAlternative = false
    this.#group = {
      ...this.#group,
      isSilent,
      isFirst: false,
      style: { ...this.#group.style },
    }
  }

  #closeGroup(): void {
    const { target, isFirst } = this.#group
    if (isFirst) this.#endTarget(target)
    const outer = this.#groups.pop()
    if (!outer) return
    this.#depth.closed()
    this.#group = outer
  }

  #readWord(name: string, number: number | null): void {
    this.#flush()
    this.#fallback = 0
    if (name === 'u' && number !== null) this.#addUnicode(number)
    else if (name === '*') this.#mayBeUnknown = true
    else {
      const isUnknown =
        this.#mayBeUnknown && !skippableGroups.has(name) && toTarget(name) === null
      this.#mayBeUnknown = false
      if (isUnknown || silent.has(name)) this.#group.isSilent = true
      else if (!this.#group.isSilent) this.#apply(name, number)
      else if (name === 'ud') this.#group.isSilent = false
    }
  }

  #apply(name: string, number: number | null): void {
    const target = toTarget(name)
    if (target !== null) this.#begin(target)
    else if (name === 'upr') this.#group.hasAlternative = true
    else if (Object.hasOwn(characters, name)) this.#add(characters[name]!)
    else if (!this.#applyStructure(name) && !this.#applyParagraph(name, number))
      this.#applyText(name, number)
  }

  #begin(target: Target): void {
    this.#group.target = target
    this.#group.isFirst = true
    if (target === 'note' || target === 'margin') this.#stories.push(new RtfStory())
    this.#entry = ''
  }

  #endTarget(target: Target): void {
    if (target === 'label') this.#story.setLabel(this.#entry)
    if (target !== 'note' && target !== 'margin') return
    const blocks = this.#stories.pop()!.end()
    if (target === 'margin') this.#margins.push(...blocks)
    else this.#story.addNote(oneLine(blocks.map(({ text }) => text).join(' ')))
  }

  #applyStructure(name: string): boolean {
    const story = this.#story
    if (
      name === 'par' ||
      name === 'sect' ||
      name === 'page' ||
      name === '\n' ||
      name === '\r'
    )
      story.endParagraph(this.#paragraph)
    else if (name === 'cell') story.endCell()
    else if (name === 'row') story.endRow()
    else if (name === 'nestcell') story.add(' | ')
    else if (name === 'nestrow') story.add('\n')
    else return false
    return true
  }

  #applyParagraph(name: string, number: number | null): boolean {
    if (name === 'pard') this.#paragraph = { headingLevel: 0, isInTable: false }
    else if (name === 'intbl') this.#paragraph.isInTable = true
    else if (name === 'outlinelevel') this.#setLevel(toLevel(number))
    else if (name === 's') {
      this.#styleNumber = number ?? 0
      if (this.#group.target !== 'styles')
        this.#setLevel(this.#headings.get(number ?? 0) ?? 0)
    } else return false
    return true
  }

  #setLevel(level: number): void {
    if (this.#group.target === 'styles') this.#headings.set(this.#styleNumber, level)
    else if (level > 0) this.#paragraph.headingLevel = level
  }

  #applyText(name: string, number: number | null): void {
    const group = this.#group
    const isOn = number !== 0
    if (name === 'f') this.#chooseFont(number ?? -1)
    else if (name === 'deff') this.#defaultFont = number ?? -1
    else if (name === 'fcharset') this.#describeFont({ charset: number })
    else if (name === 'cpg') this.#describeFont({ codePage: number })
    else if (name === 'ansicpg') this.#codePage = number || 1252
    else if (name === 'mac') this.#codePage = 10_000
    else if (name === 'pc') this.#codePage = 437
    else if (name === 'pca') this.#codePage = 850
    else if (name === 'uc') group.fallbackLength = number ?? 1
    else if (name === 'v' || name === 'deleted') group.isHidden = isOn
    else if (name === 'strike' || name === 'striked') group.style.isStruck = isOn
    else if (name === 'super')
      group.style = { ...group.style, isRaised: isOn, isLowered: false }
    else if (name === 'sub')
      group.style = { ...group.style, isLowered: isOn, isRaised: false }
    else if (name === 'nosupersub')
      group.style = { isStruck: group.style.isStruck ?? false }
    else if (name === 'plain') {
      group.style = {}
      group.isHidden = false
      group.font = -1
    }
  }

  #chooseFont(number: number): void {
    this.#group.font = number
    if (this.#group.target !== 'fonts') return
    this.#entry = ''
    this.#fonts.set(number, { name: '', charset: null, codePage: null })
  }

  #describeFont(part: Partial<RtfFont>): void {
    const font = this.#fonts.get(this.#group.font)
    if (font && this.#group.target === 'fonts') Object.assign(font, part)
  }

  #addUnicode(number: number): void {
    if (!this.#group.isSilent) this.#add(String.fromCharCode(number & 0xffff))
    this.#fallback = this.#group.fallbackLength
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const { font, target } = this.#group
    const used =
      target === 'fonts' || target === 'styles' ? undefined : this.#fontFor(font)
    const text = decodeRtf(this.#bytes, used, this.#codePage)
    this.#bytes = []
    this.#add(text)
  }

  #fontFor = (number: number) =>
    this.#fonts.get(number === -1 ? this.#defaultFont : number)

  #add(text: string): void {
    const { target, isHidden, style } = this.#group
    if (target === 'story' || target === 'note' || target === 'margin') {
      if (!isHidden) this.#story.add(/^[\n\t]$/.test(text) ? text : marked(text, style))
      return
    }
    this.#entry += text
    if (target !== 'label' && text.includes(';')) this.#endEntry(target)
  }

  /** Entries of tables end with a semicolon. */
  #endEntry(target: Target): void {
    const name = this.#entry.split(';', 1)[0]!.trim()
    this.#entry = ''
    if (target === 'fonts') this.#describeFont({ name })
    const level = /^(?:heading|überschrift|titre|título|titolo|kop) (\d)$/i.exec(
      name,
    )?.[1]
    if (target === 'styles' && level && !this.#headings.get(this.#styleNumber))
      this.#headings.set(this.#styleNumber, Number(level))
  }
}

function toTarget(name: string): Target | null {
  if (name === 'fonttbl') return 'fonts'
  if (name === 'stylesheet') return 'styles'
  if (name === 'listtext' || name === 'pntext') return 'label'
  if (name === 'footnote') return 'note'
  return /^(?:header|footer)[lrf]?$/.test(name) ? 'margin' : null
}

/** Levels count from 0; 9 is the one of other text. */
const toLevel = (number: number | null) =>
  number !== null && number >= 0 && number < 9 ? number + 1 : 0
