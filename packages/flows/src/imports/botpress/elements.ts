// Content elements of Botpress 12 as messages, with their translations.
import type { CardByType } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import { UniqueNames } from '../names.ts'
import { type Json, objectsIn, textIn, textsIn, valueIn } from '../reading.ts'
import type { BotpressFiles, ContentElement } from './source.ts'
import type { BotpressTexts } from './texts.ts'

type Say = CardByType<'send'>['message']

export class BotpressElements {
  readonly #bot: Assembly
  readonly #files: BotpressFiles
  readonly #texts: BotpressTexts
  readonly #keys = new UniqueNames('-')

  constructor(bot: Assembly, files: BotpressFiles, texts: BotpressTexts) {
    this.#bot = bot
    this.#files = files
    this.#texts = texts
  }

  find(id: string): ContentElement | undefined {
    return this.#files.elements.get(id)
  }

  /** Fields end with `$` and the language. */
  #field(form: Json, name: string, language = this.#files.language): unknown {
    return (
      valueIn(form, `${name}$${language}`) ??
      (language === this.#files.language ? form[name] : undefined)
    )
  }

  text(form: Json, name: string, language?: string): string {
    return this.#texts.template(textIn({ at: this.#field(form, name, language) }, 'at'))
  }

  /** Returns a card; one with texts in several languages has a key. */
  toSend(id: string): CardByType<'send'> | null {
    const element = this.find(id)
    if (!element) return null
    const { type, form } = element
    if (/single[-_]choice|dropdown/.test(type)) return this.#toChoices(id, form)
    if (!/text/.test(type)) return { type: 'send', message: this.#toMessage(type, form) }
    const message = this.text(form, 'text')
    const variations = textsIn({ at: this.#field(form, 'variations') }, 'at')
    if (variations.length > 0) {
      const all = [message, ...variations.map((one) => this.#texts.template(one))]
      if (all.every((one) => !one.includes('{{')))
        return { type: 'send', message: `{{ _.sample(${JSON.stringify(all)}) }}` }
    }
    const textKey = this.#translate(id, [
      ['message', (language) => this.text(form, 'text', language), message],
    ])
    return { type: 'send', ...(textKey && { textKey }), message }
  }

  #toChoices(id: string, form: Json): CardByType<'send'> {
    const { options, text } = this.toOptions(id, form)
    return { type: 'send', message: { type: 'choice', text, options } }
  }

  /** Returns the question and the options of a choice, with the key of their translations. */
  toOptions(id: string, form: Json) {
    const choices = (language?: string) =>
      objectsIn(
        {
          at:
            this.#field(form, 'choices', language) ??
            this.#field(form, 'options', language),
        },
        'at',
      )
    const options = choices().map((choice) => ({
      label: this.#texts.template(
        textIn(choice, 'title') || textIn(choice, 'label') || textIn(choice, 'value'),
      ),
      value: this.#texts.template(textIn(choice, 'value') || textIn(choice, 'title')),
    }))
    const text = this.text(form, 'text') || this.text(form, 'message') || 'Please choose:'
    const textKey = this.#translate(id, [
      ['question', (language) => this.text(form, 'text', language), text],
      ...options.map(
        ({ label, value }, index): [string, (language: string) => string, string] => [
          `options/${value}/label`,
          (language) => this.#texts.template(textIn(choices(language)[index], 'title')),
          label,
        ],
      ),
    ])
    return { text, options, textKey }
  }

  /** Adds translations, and returns their key; undefined without any. */
  #translate(
    id: string,
    parts: [path: string, find: (language: string) => string, original: string][],
  ): string | undefined {
    const found = this.#files.languages.flatMap((language) =>
      parts.flatMap(([path, find, original]) => {
        const text = find(language)
        return text === '' || text === original
          ? []
          : [{ language, path, text, original }]
      }),
    )
    if (found.length === 0) return undefined
    const key = this.#keys.create(id.replace(/^builtin_/, ''), 'text')
    this.#bot.languages ??= { default: this.#files.language, translations: {} }
    const translations = this.#bot.languages.translations!
    for (const { language, path, text, original } of found) {
      translations[language] ??= {}
      translations[language][`${key}/${path}`] = { text, original }
    }
    return key
  }

  #toMessage(type: string, form: Json): Say {
    const url =
      this.text(form, 'image') || this.text(form, 'url') || this.text(form, 'file')
    const title = this.text(form, 'title')
    const named = title === '' ? {} : { title }
    if (/carousel/.test(type)) {
      const items = objectsIn({ at: this.#field(form, 'items') }, 'at')
      return { type: 'carousel', items: items.map((item) => this.#toCard(item)) }
    }
    if (/card/.test(type)) return { type: 'card', ...this.#toCard(form) }
    if (/image/.test(type)) return { type: 'image', imageUrl: url, ...named }
    if (/audio/.test(type))
      return { type: 'audio', audioUrl: this.text(form, 'audio') || url, ...named }
    if (/video/.test(type))
      return { type: 'video', videoUrl: this.text(form, 'video') || url, ...named }
    if (/location/.test(type))
      return {
        type: 'location',
        latitude: this.text(form, 'latitude'),
        longitude: this.text(form, 'longitude'),
        ...named,
      }
    if (/file/.test(type)) return { type: 'file', fileUrl: url, ...named }
    return this.text(form, 'text') || title || type
  }

  #toCard(form: Json) {
    const subtitle = this.text(form, 'subtitle')
    const imageUrl = this.text(form, 'image')
    const actions = objectsIn({ at: this.#field(form, 'actions') }, 'at').map(
      (action) => ({
        action: toActionKind(textIn(action, 'action')),
        label: this.#texts.template(textIn(action, 'title')),
        value: this.#texts.template(
          textIn(action, 'url') ||
            textIn(action, 'payload') ||
            textIn(action, 'text') ||
            textIn(action, 'title'),
        ),
      }),
    )
    return {
      title: this.text(form, 'title') || ' ',
      ...(subtitle && { subtitle }),
      ...(imageUrl && { imageUrl }),
      actions,
    }
  }
}

function toActionKind(action: string): string {
  if (/url/i.test(action)) return 'url'
  return /post/i.test(action) ? 'postback' : 'say'
}
