// Collects the nodes, variables, tables and texts of a new dialogue, and returns the edits that add them to
// the document. Nothing that the document has is changed, except for what a caller says.
import { builtInFlows } from '../document/built-in-flows.ts'
import { escapePointer } from '../document/pointer.ts'
import { applyEdits, type DocumentEdit, isObject, type Json } from '../edits/edit.ts'
import { listTexts, readLanguages, toObject } from '../texts/catalogue.ts'
import { type TextChange, toTextEdits } from '../texts/text-edits.ts'
import type { CommonAnswers } from './answers.ts'
import { takeName, toName } from './names.ts'
import { standard, type Text, wordsIn } from './text.ts'
import type { TextId } from './texts/en.ts'

type Card = Json & { type: string }

const toPointer = (...names: string[]) =>
  names.map((name) => `/${escapePointer(name)}`).join('')

/** Returns the names of a map of the document, and those that mean something else there. */
const namesIn = (value: unknown, ...others: string[]) =>
  new Set([...Object.keys(toObject(value)), ...others])

interface DialogueDeps extends Pick<CommonAnswers, 'title' | 'language'> {
  /** For a document without one. */
  timezone?: string
}

/** Returns the time zone of the document. */
export function findTimezone(document: Json): string | undefined {
  const { timezone } = toObject(toObject(document.settings).defaults)
  return typeof timezone === 'string' ? timezone : undefined
}

export class DialogueBuilder {
  readonly flow: string
  readonly document: Json
  readonly language: string
  /** Of the bot; captures read dates in it. */
  readonly timezone: string
  readonly #nodes: Json = {}
  readonly #variables: Json = {}
  readonly #variableNames = new Set<string>()
  readonly #edits: DocumentEdit[] = []
  readonly #texts = new Map<string, Text>()
  readonly #made = new Set<string>()

  constructor(document: Json, { title, language, timezone = 'utc' }: DialogueDeps) {
    this.document = document
    this.timezone = findTimezone(document) ?? timezone
    this.language = readLanguages(document).original ?? language
    const taken = namesIn(document.flows, ...Object.values(builtInFlows))
    this.flow = takeName(toName(title, 'dialogue'), taken)
    this.#made.add(`flows/${this.flow}`)
  }

  /** Returns the text for a card, and keeps its translations. */
  say(text: Text): string {
    const said = text(this.language, 'en')!
    this.#texts.set(said, text)
    return said
  }

  /** Returns a text of the catalogue for a card. */
  standard(id: TextId, parts: Record<string, Text> = {}): string {
    return this.say(standard(id, parts))
  }

  /** Returns words that users write, in all languages of the bot. */
  words(id: TextId): string[] {
    return wordsIn(id, [this.language, ...this.#otherLanguages()])
  }

  /** Declares a variable of the flow and returns its path: `workflow.day`. */
  variable(wanted: string, type: string, more: Json = {}): string {
    const name = takeName(wanted, this.#variableNames)
    this.#variables[name] = { type, ...more }
    return `workflow.${name}`
  }

  /** Adds a node. The first one is where the flow begins. */
  node(name: string, cards: Card[], next?: string): void {
    const type = Object.keys(this.#nodes).length === 0 ? 'entry' : 'standard'
    this.#nodes[name] = { type, cards, ...(next !== undefined && { next }) }
  }

  /** Adds an edit of a part of the document that is not the flow. */
  edit(edit: DocumentEdit): void {
    this.#edits.push(edit)
  }

  /** Inserts a value into a map of the document, which is made if it is missing. Returns its name there. */
  insert(map: string, wanted: string, value: unknown): string {
    const made = [...this.#made].flatMap((one) =>
      one.startsWith(`${map}/`) ? [one.slice(map.length + 1)] : [],
    )
    const known = this.document[map]
    const name = takeName(wanted, namesIn(known, ...made))
    this.#made.add(`${map}/${name}`)
    if (isObject(known) || made.length > 0)
      this.edit({ op: 'insert', pointer: toPointer(map, name), value })
    else this.edit({ op: 'set', pointer: `/${map}`, value: { [name]: value } })
    return name
  }

  /** Returns all edits, with the translations that the wizard knows. */
  finish(): DocumentEdit[] {
    const variables = Object.keys(this.#variables).length > 0 && {
      variables: this.#variables,
    }
    const flow: DocumentEdit = {
      op: 'insert',
      pointer: toPointer('flows', this.flow),
      value: { ...variables, nodes: this.#nodes },
    }
    const edits = [flow, ...this.#edits]
    return [...edits, ...this.#translate(applyEdits(this.document, edits))]
  }

  #otherLanguages(): string[] {
    const { original, translations } = readLanguages(this.document)
    return Object.keys(translations).filter((language) => language !== original)
  }

  #translate(document: unknown): DocumentEdit[] {
    const before = new Set(
      listTexts(this.document).map(({ key, text }) => `${key}\n${text}`),
    )
    const changes = listTexts(document).flatMap(({ key, text }): TextChange[] => {
      const known = this.#texts.get(text)
      if (!known || before.has(`${key}\n${text}`)) return []
      return this.#otherLanguages().flatMap((language) => {
        const translated = known(language)
        return translated === null ? [] : [{ key, language, text: translated }]
      })
    })
    return toTextEdits(document, changes).edits
  }
}
