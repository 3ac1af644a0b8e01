// Keys of APIs that the server calls. They are sent in headers of HTTP, which carry no other
// characters.

export const isApiKey = (text: string) => /^[\x21-\x7e]+$/.test(text)

const looksLikeKey = /[\w-]*(?:sk|key|AIza|Bearer)[\w-]*[-_ ][\w*.-]{6,}|[\w*-]{24,}/gi

/** The pattern above takes quadratic time, so further characters are left out. */
const maxLength = 2_000

/** Removes the key, and everything else that looks like one, from a message of a provider. */
export function withoutKeys(message: string, key: string | null): string {
  const forms = key === null ? [] : [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  return forms
    .reduce((rest, form) => rest.replaceAll(form, '…'), message)
    .slice(0, maxLength)
    .replaceAll(looksLikeKey, '…')
}

/** Completes "<the setting> must …". */
export const apiKeyForm = 'consist of visible ASCII characters, without spaces'
