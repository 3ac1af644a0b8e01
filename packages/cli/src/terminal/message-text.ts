// Converts a message to text for a terminal, without the control characters that a bot may have put
// in.
import { preview } from '@botstead/flows/seeing'

export function messageText(payload: Record<string, unknown>): string {
  return readable(preview(payload.type, payload))
}

/** Removes control characters and truncates the content of data URLs. */
function readable(text: string): string {
  const safe = text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
  return safe.replace(/(data:[\w/+.-]{1,60}[;,][\w;,=+/-]{20})[\w;,=+/%-]{40,}/g, '$1…')
}
