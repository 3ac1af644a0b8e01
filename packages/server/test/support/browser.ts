// The system's Chromium, for tests of pages. Without Chromium, these tests are skipped with a
// message.
import { type Browser, chromium } from 'playwright-core'
import { chromiumArgs, chromiumPath } from '../../../../scripts/chromium.js'

export { chromiumPath, noChromium } from '../../../../scripts/chromium.js'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath!, args: chromiumArgs })
