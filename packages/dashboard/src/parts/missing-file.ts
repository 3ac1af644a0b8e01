// Files that the page loads later: after an upgrade of the server, it no longer has those of an open page.

/** As Chromium, Firefox and Safari name it. Each keeps the failure, so that only a reload helps. */
const messages = /dynamically imported module|importing a module script failed/i

export const isMissingFile = (error: unknown) =>
  error instanceof TypeError && messages.test(error.message)

/** Not that of a translation (translations.ts), which may stay the same. */
const entryScript = 'script[type=module][src]:not([data-language])'

/** Whether the server has another version of the dashboard than this page. Rejects if it is away. */
export async function hasOtherVersion(): Promise<boolean> {
  const entry = document.querySelector(entryScript)?.getAttribute('src')
  const response = await fetch(location.pathname, { cache: 'no-store' })
  return response.ok && entry != null && !(await response.text()).includes(entry)
}
