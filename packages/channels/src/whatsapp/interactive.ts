// Buttons and lists of WhatsApp, and the numbered list where they are too few or too short
// (https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages).
import { type Option, toButtonData, writeOptions } from '../text/choices.ts'

const maxButtons = 3
const maxButton = 20
const maxRows = 10
const maxRow = 24
const maxDescription = 72

/** An option, with its position in the bot's message. */
export interface Choice extends Option {
  index: number
}

const areUnequal = (labels: string[]) => new Set(labels).size === labels.length
const listLabels = (choices: Choice[]) => choices.map(({ label }) => label)

const fitButtons = (choices: Choice[]) =>
  choices.length <= maxButtons &&
  choices.every(({ label }) => label.length <= maxButton) &&
  areUnequal(listLabels(choices))

const fitList = (choices: Choice[]) =>
  choices.length <= maxRows &&
  choices.every(({ label }) => label.length <= maxDescription)

interface Interactive {
  messageId: string
  body: string
  choices: Choice[]
  /** Shows a list also where buttons would fit. */
  prefersList?: boolean
  /** Of the button that opens the list. */
  listLabel?: unknown
  header?: Record<string, unknown>
}

/** Returns the content of the message; null if the choices fit neither buttons nor a list. */
export function toInteractive(wanted: Interactive): Record<string, unknown> | null {
  const { choices, prefersList, header } = wanted
  if (choices.length === 0) return null
  if (fitButtons(choices) && !prefersList)
    return toMessage({ ...wanted, ...toButtons(wanted) })
  // A list has no picture above it.
  return fitList(choices) && !header ? toMessage({ ...wanted, ...toList(wanted) }) : null
}

interface Kind {
  type: string
  action: Record<string, unknown>
}

const toMessage = ({
  type,
  action,
  body,
  header,
}: Kind & Pick<Interactive, 'body' | 'header'>) => ({
  type: 'interactive',
  interactive: { type, ...(header && { header }), body: { text: body }, action },
})

const toButtons = ({ messageId, choices }: Interactive): Kind => ({
  type: 'button',
  action: {
    buttons: choices.map(({ label, index }) => ({
      type: 'reply',
      reply: { id: toButtonData(messageId, index), title: label },
    })),
  },
})

function toList({ messageId, choices, listLabel }: Interactive): Kind {
  const button =
    (typeof listLabel === 'string' && listLabel.slice(0, maxButton)) || 'Options'
  const rows = choices.map(({ label, index }) => ({
    id: toButtonData(messageId, index),
    ...toRow(label),
  }))
  return { type: 'list', action: { button, sections: [{ rows }] } }
}

/** A title that is too long is whole below it. */
const toRow = (label: string) =>
  label.length <= maxRow
    ? { title: label }
    : { title: `${label.slice(0, maxRow - 1).trimEnd()}…`, description: label }

export const toNumbered = (text: string, choices: Choice[]) =>
  writeOptions(text, choices, (choices[0]?.index ?? 0) + 1)

/** Opens an address. */
export const toLinkButton = (
  body: string,
  label: string,
  url: string,
  header?: object,
) => ({
  type: 'interactive',
  interactive: {
    type: 'cta_url',
    ...(header && { header }),
    body: { text: body },
    action: { name: 'cta_url', parameters: { display_text: label, url } },
  },
})

export const fitsLinkButton = (label: string, url: string) =>
  label.length <= maxButton && /^https?:\/\//.test(url)
