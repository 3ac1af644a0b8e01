// Keys of APIs that the server calls. They are sent in headers of HTTP, which carry no other
// characters.

export const isApiKey = (text: string) => /^[\x21-\x7e]+$/.test(text)

/** Completes "<the setting> must …". */
export const apiKeyForm = 'consist of visible ASCII characters, without spaces'
