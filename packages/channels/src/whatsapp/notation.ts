// WhatsApp's formatting (https://faq.whatsapp.com/539178204879377).
import type { Notation } from '../text/rich-text.ts'

export const whatsappNotation: Notation = {
  bold: ['*', '*'],
  italic: ['_', '_'],
  strike: ['~', '~'],
  code: ['`', '`'],
  codeBlock: ['```', '```'],
  quote: (content) => content.replace(/^/gm, '> '),
}
