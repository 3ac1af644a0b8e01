// The choice of a language. The server reads it from the cookie, and puts the translation into the page.

export const languages = [
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['pt-BR', 'Português'],
  ['ja', '日本語'],
] as const

/** Loads the page again. If it has unsaved changes, the browser asks first (unsaved.tsx). */
export function chooseLanguage(language: string): void {
  const isSecure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the other interface exists on secure pages only
  document.cookie = `botstead_language=${language}; path=/; max-age=31536000; samesite=lax${isSecure}`
  location.reload()
}
