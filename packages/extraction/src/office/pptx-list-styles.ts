// Automatic numbers that the shapes of a slide inherit (ECMA-376, 19.3.1 and 21.1.2.4.12): from the
// placeholders of its layout and its master, and from the text styles of the master and the presentation.
import type { OfficePackage } from './office-package.ts'
import { readXml } from './office-xml.ts'

export interface AutoNumber {
  type: string
  start: number
}

/** By level from 0; null for a level with another bullet, or none. */
export type LevelNumbers = Map<number, AutoNumber | null>

interface Placeholder {
  type: string
  index: string
}

interface Part {
  placeholders: (Placeholder & { levels: LevelNumbers })[]
  /** By element: `titleStyle`, `bodyStyle`, `otherStyle`, `notesStyle`, `defaultTextStyle`. */
  styles: Map<string, LevelNumbers>
}

/** Collects the numbers of the levels that an element such as `lstStyle` describes. */
export class LevelReader {
  #level: number | null = null

  /** Returns whether the element belongs to a described level. */
  open(tag: string, attributes: Record<string, string>, levels: LevelNumbers): boolean {
    const described = /^lvl([1-9])pPr$/.exec(tag)?.[1]
    if (described !== undefined) this.#level = Number(described) - 1
    else if (tag === 'p') this.#level = null
    const number = toAutoNumber(tag, attributes)
    if (number !== undefined && this.#level !== null) levels.set(this.#level, number)
    return this.#level !== null
  }
}

/** Returns null for another bullet, and undefined for another element. */
export function toAutoNumber(
  tag: string,
  { type = '', startAt = '1' }: Record<string, string>,
): AutoNumber | null | undefined {
  if (/^bu(?:None|Char|Blip)$/.test(tag)) return null
  return tag === 'buAutoNum' ? { type, start: Number(startAt) || 1 } : undefined
}

const textStyles = /^(?:title|body|other|notes|defaultText)Style$/

function readPart(xml: string): Part {
  const part: Part = { placeholders: [], styles: new Map() }
  const reader = new LevelReader()
  let levels: LevelNumbers = new Map()
  readXml(xml, {
    open(tag, attributes) {
      if (tag === 'sp' || textStyles.test(tag)) levels = new Map()
      if (textStyles.test(tag)) part.styles.set(tag, levels)
      else if (tag === 'ph')
        part.placeholders.push({
          type: attributes.type ?? '',
          index: attributes.idx ?? '',
          levels,
        })
      reader.open(tag, attributes, levels)
    },
  })
  return part
}

const none: Part = { placeholders: [], styles: new Map() }

const isTitle = (type: string) => /^(?:title|ctrTitle)$/.test(type)

/** The kind of text of a placeholder; a placeholder without a type has the text of the slide. */
function toKind(type: string): string {
  if (isTitle(type)) return 'title'
  return /^(?:|obj|body|subTitle|chart|tbl|clipArt|dgm|media|pic)$/.test(type)
    ? 'body'
    : 'other'
}

/** Returns the levels that a placeholder inherits, or a shape that is none. */
export type FindLevels = (placeholder: Placeholder | null) => LevelNumbers

/** Reads the parts from which a slide or its notes inherit, each part once for all slides. */
export class PptxListStyles {
  readonly #office: OfficePackage
  readonly #parts = new Map<string, Promise<Part>>()

  constructor(office: OfficePackage) {
    this.#office = office
  }

  async of(path: string): Promise<FindLevels> {
    const layoutPath = await this.#find(path, /^(?:slideLayout|notesMaster)$/)
    const masterPath = layoutPath && (await this.#find(layoutPath, /^slideMaster$/))
    const [layout, master, { styles }] = await Promise.all([
      this.#read(layoutPath),
      this.#read(masterPath),
      this.#read(this.#office.main),
    ])
    return (placeholder) => {
      const kind = toKind(placeholder?.type ?? 'none')
      const named = [`${kind}Style`, ...(kind === 'body' ? ['notesStyle'] : [])]
      const fromStyles = [layout, master].flatMap((part) =>
        named.map((name) => part.styles.get(name)),
      )
      return merged([
        styles.get('defaultTextStyle'),
        ...fromStyles,
        ...(placeholder
          ? [findByKind(master, kind), findMatching(layout, placeholder)]
          : []),
      ])
    }
  }

  async #find(path: string, wanted: RegExp): Promise<string | undefined> {
    const relations = await this.#office.relations(path)
    return relations.find(({ type, isExternal }) => wanted.test(type) && !isExternal)
      ?.target
  }

  #read(path: string | undefined): Promise<Part> {
    if (path === undefined) return Promise.resolve(none)
    const known = this.#parts.get(path) ?? this.#office.text(path).then(readPart)
    this.#parts.set(path, known)
    return known
  }
}

const findByKind = ({ placeholders }: Part, kind: string) =>
  placeholders.find(({ type }) => toKind(type) === kind)?.levels

/** By index, else by type. */
const findMatching = ({ placeholders }: Part, { type, index }: Placeholder) =>
  (
    placeholders.find((one) => index !== '' && one.index === index) ??
    placeholders.find((one) => one.type === type && index === '')
  )?.levels

const merged = (all: (LevelNumbers | undefined)[]): LevelNumbers =>
  new Map(all.flatMap((levels) => [...(levels ?? [])]))
