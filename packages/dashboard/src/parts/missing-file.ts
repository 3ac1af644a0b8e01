// Files that the page loads later: after an upgrade of the server, it no longer has those of an open page.

/** As Chromium, Firefox and Safari name it. Each keeps the failure, so that only a reload helps. */
const messages = /dynamically imported module|importing a module script failed/i

export const isMissingFile = (error: unknown) =>
  error instanceof TypeError && messages.test(error.message)

/** Whether the server has another version of the dashboard than this page. Rejects if it is away. */
export async function hasOtherVersion(): Promise<boolean> {
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const response = await fetch(location.pathname, { cache: 'no-store' })
  return response.ok && entry != null && !(await response.text()).includes(entry)
}
