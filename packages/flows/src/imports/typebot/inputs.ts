// Blocks of Typebot that ask: each becomes a capture, with a transition for each choice that leads elsewhere.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import { toCondition } from '../conditions.ts'
import { toTemplate } from '../pieces.ts'
import { isSet, numberIn, objectsIn, textIn, valueIn } from '../reading.ts'
import type { TypebotContext } from './context.ts'
import type { Block, Item } from './source.ts'

type Fields = Partial<Omit<CaptureCard, 'type' | 'into'>>

const kinds: Record<string, (context: TypebotContext, block: Block) => Fields> = {
  'text input': () => ({ kind: 'raw' }),
  'number input': ({ texts }, { options }) => ({
    kind: 'number',
    ...toLimit('min', valueIn(options, 'min'), texts),
    ...toLimit('max', valueIn(options, 'max'), texts),
  }),
  'email input': ({ texts }, block) => ({ kind: 'email', ...toRetry(texts, block) }),
  'url input': ({ texts }, block) => ({ kind: 'url', ...toRetry(texts, block) }),
  'phone number input': ({ texts }, block) => ({
    kind: 'phone',
    ...toRetry(texts, block),
  }),
  'date input': ({ texts }, { options }) => ({
    kind: 'date',
    ...toLimit('min', valueIn(options, 'min'), texts),
    ...toLimit('max', valueIn(options, 'max'), texts),
  }),
  'time input': () => ({
    kind: 'regex',
    pattern: '^(?:[01]?[0-9]|2[0-3])[:.h][0-5][0-9]',
  }),
  'otp input': (_context, { options }) => ({
    kind: 'regex',
    pattern: `^[0-9]{${toCount(numberIn(options, 'numDigits'), 3, 12) ?? '3,12'}}$`,
  }),
  'rating input': toRating,
  'file input': ({ texts }, { options }) =>
    isSet(options, 'isRequired')
      ? { kind: 'file' }
      : {
          kind: 'file',
          cancelWords: [texts.template(textIn(options, 'labels', 'skip')) || 'Skip'],
        },
}

/** Returns a whole number within the limits; undefined for another one. */
const toCount = (value: number | undefined, min: number, max: number) =>
  value !== undefined && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined

/** Of Typebot. */
const [shortestRating, longestRating, usualRating] = [1, 20, 10]

/** A button for each number, or for its stars. Labels of the ends stand beside the first and the last. */
function toRating({ texts }: TypebotContext, { options }: Block): Fields {
  const hasStars = textIn(options, 'buttonType') === 'Icons'
  const last =
    toCount(numberIn(options, 'length'), shortestRating, longestRating) ?? usualRating
  const first = hasStars ? 1 : (toCount(numberIn(options, 'startsAt'), 0, last) ?? 1)
  const [low, high] = ['left', 'right'].map((end) =>
    texts.template(textIn(options, 'labels', end)),
  )
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return {
    kind: 'singleChoice',
    options: numbers.map((number) => {
      const rating = hasStars
        ? '★'.repeat(number) + '☆'.repeat(last - number)
        : String(number)
      const end = { [first]: low, [last]: high }[number]
      const label = end ? `${rating} ${end}` : rating
      const value = String(number)
      return { label, value, ...(label !== value && { synonyms: [value] }) }
    }),
  }
}

/** What Typebot shows in an empty field: the bot asks it, if no text asks before. */
const placeholders: Record<string, string> = {
  'number input': 'Type a number...',
  'email input': 'Type your email...',
  'url input': 'Type a URL...',
  'phone number input': 'Type your phone number...',
  'date input': 'Pick a date',
  'time input': 'Pick a time',
  'otp input': 'Type the code',
  'rating input': 'Please choose a rating:',
  'file input': 'Please send a file.',
}

/** Returns the words that ask for the input of a block by themselves; '' for none. */
export function toPrompt({ texts }: TypebotContext, { type, options }: Block): string {
  const written =
    textIn(options, 'labels', 'placeholder') || textIn(options, 'placeholder')
  const own = written || (type === 'date input' ? textIn(options, 'labels', 'from') : '')
  if (own) return texts.template(own)
  return Object.hasOwn(placeholders, type) ? placeholders[type]! : ''
}

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'

function toLimit(
  name: 'min' | 'max',
  value: unknown,
  texts: TypebotContext['texts'],
): Fields {
  const text = isText(value) ? String(value).trim() : ''
  if (text === '') return {}
  const number = Number(text)
  return { [name]: Number.isFinite(number) ? number : texts.template(text) }
}

function toRetry(texts: TypebotContext['texts'], { options }: Block): Fields {
  const text = textIn(options, 'retryMessageContent')
  return text === '' ? {} : { retryMessage: texts.template(text) }
}

/** Returns null for a block that asks nothing. */
export function toCapture(context: TypebotContext, block: Block): Card[] | null {
  if (Object.hasOwn(choices, block.type))
    return toChoice(context, block, choices[block.type]!(block))
  if (!Object.hasOwn(kinds, block.type)) return null
  const fields = kinds[block.type]!(context, block)
  return [{ type: 'capture', kind: 'raw', ...fields, into: variableFor(context, block) }]
}

/** Of the block, or a new one. */
function variableFor(
  { bot, texts }: TypebotContext,
  { id, type, options }: Block,
): string {
  const named = texts.variable(textIn(options, 'variableId'))
  return (
    named ?? bot.variables.declare(`answer:${id}`, type.replace(/ input$/, ' answer'))
  )
}

interface Choice {
  label: string
  value?: string
  target: string | undefined
  condition?: unknown
}

const choices: Record<string, (block: Block) => Choice[]> = {
  'choice input': ({ items }) =>
    items.map((item) => ({ ...toOption(item), label: textIn(item.raw, 'content') })),
  'picture choice input': ({ items }) =>
    items.map((item) => ({
      ...toOption(item),
      label: textIn(item.raw, 'title') || 'Choice',
    })),
  'cards input': ({ items }) =>
    items.flatMap(({ raw, target }) => {
      const title = textIn(raw, 'title')
      const paths = objectsIn(raw, 'paths')
      if (paths.length <= 1)
        return [{ label: title || textIn(paths[0], 'text') || 'Choice', target }]
      return paths.map((path) => ({ label: `${title}: ${textIn(path, 'text')}`, target }))
    }),
}

const toOption = ({ raw, target }: Item): Omit<Choice, 'label'> => ({
  target,
  ...(textIn(raw, 'value') && { value: textIn(raw, 'value') }),
  ...(isSet(raw, 'displayCondition', 'isEnabled') && {
    condition: valueIn(raw, 'displayCondition', 'condition'),
  }),
})

function toChoice(context: TypebotContext, block: Block, found: Choice[]): Card[] {
  const { texts } = context
  const all = found.filter(({ label }) => label.trim() !== '')
  const into = variableFor(context, block)
  const isMultiple = isSet(block.options, 'isMultipleChoice')
  const dynamic = texts.variable(
    textIn(block.options, 'dynamicVariableId') ||
      textIn(block.options, 'dynamicItems', 'titlesVariableId'),
  )
  const options = dynamic ? `{{ [].concat(${dynamic} ?? []) }}` : toOptions(context, all)
  if (options.length === 0) return [{ type: 'capture', kind: 'raw', into }]
  return [
    ...toPictures(context, block),
    {
      type: 'capture',
      kind: isMultiple ? 'multipleChoice' : 'singleChoice',
      options,
      into,
    },
    ...all.flatMap(({ label, value, target }): Card[] => {
      if (target === undefined) return []
      const when = toCondition(
        into,
        isMultiple ? 'contains' : 'equals',
        texts.toPieces(value ?? label),
      )
      return [{ type: 'transition', when, to: target }]
    }),
  ]
}

/** Choices with a condition need an expression. */
function toOptions({ texts }: TypebotContext, all: Choice[]) {
  const toFields = ({ label, value = label }: Choice) => ({
    label: texts.template(label),
    value: texts.template(value),
  })
  if (all.every(({ condition }) => condition === undefined))
    return all.slice(0, 1000).map(toFields)
  const parts = all.map((choice) => {
    const { label, value = label, condition } = choice
    const option = `{ label: ${texts.js(label)}, value: ${texts.js(value)} }`
    return condition === undefined
      ? option
      : `...(${texts.condition(condition)} ? [${option}] : [])`
  })
  return toTemplate([{ js: `[${parts.join(', ')}]` }])
}

function toPictures({ texts }: TypebotContext, { items }: Block): Card[] {
  return items.flatMap(({ raw }): Card[] => {
    const imageUrl = texts.template(textIn(raw, 'pictureSrc') || textIn(raw, 'imageUrl'))
    const title = texts.template(textIn(raw, 'title'))
    return imageUrl === ''
      ? []
      : [{ type: 'send', message: { type: 'image', imageUrl, ...(title && { title }) } }]
  })
}

/** Multiple files and labels of buttons have no place in a capture. */
export function captureNote({ type, options }: Block): string | undefined {
  if (type === 'file input' && isSet(options, 'isMultipleAllowed'))
    return 'The user sends one file'
  if (type === 'file input' && !isSet(options, 'isRequired'))
    return `Who sends no file writes “${textIn(options, 'labels', 'skip') || 'Skip'}”`
  if (type === 'date input' && isSet(options, 'isRange'))
    return 'The user gives one date: add a second `capture` for the end of the range'
  if (type === 'text input' && isSet(options, 'attachments', 'isEnabled'))
    return 'Attachments are not asked for: add a `capture` of kind `file`'
  return undefined
}
