// What a message says, as lines of a terminal. A bot's words may hold anything, so signs that would steer the terminal are taken out.
import { preview } from '@botstead/flows/seeing'

export function messageText(payload: Record<string, unknown>): string {
  return readable(preview(payload.type, payload))
}

/** Without control signs, and with what is carried inside an address cut short. */
function readable(text: string): string {
  const safe = text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
  return safe.replace(/(data:[\w/+.-]{1,60}[;,][\w;,=+/-]{20})[\w;,=+/%-]{40,}/g, '$1…')
}
