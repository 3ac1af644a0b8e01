// Pages in new browser profiles, with the errors that they report.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export interface BrowserPages {
  /** Errors since `close`: of scripts and the console, such as blocked scripts, and dialogs. */
  complaints: string[]
  open(options?: BrowserContextOptions): Promise<Page>
  /** Closes the pages of a test, and forgets their errors. */
  close(): Promise<void>
}

/** `browser` is called for each page, because tests open the browser later. */
export function watchPages(browser: () => Browser): BrowserPages {
  const pages: Page[] = []
  const complaints: string[] = []
  return {
    complaints,
    async open(options = {}) {
      const page = await (
        await browser().newContext({ locale: 'en-GB', ...options })
      ).newPage()
      pages.push(page)
      page.on(
        'console',
        (message) => message.type() === 'error' && complaints.push(message.text()),
      )
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`)
        return dialog.dismiss()
      })
      return page
    },
    async close() {
      await Promise.all(pages.map((page) => page.context().close()))
      pages.length = 0
      complaints.length = 0
    },
  }
}
