// The system's Chromium, for tests of pages. Without Chromium, these tests are skipped with a
// message.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.CHROMIUM_PATH,
  // Has no window to draw, and so needs two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const chromiumPath = places.find((place) => place && existsSync(place)) ?? null
export const noChromium = 'needs Chromium: install it, or set CHROMIUM_PATH'

// Chromium's own sandbox does not start for root.
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
