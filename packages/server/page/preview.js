// Shows the page of a bot with settings that are not saved yet, which the dashboard sends.
import { speak } from './texts.js'

/** Accepts settings of pages of this server only. Sends and stores nothing. */
export function preview(page) {
  page.showState('online')
  page.showEmpty(true)
  addEventListener('message', async ({ origin, data }) => {
    if (origin !== location.origin || data?.type !== 'botstead:preview') return
    await speak(data.settings.language ? [data.settings.language] : navigator.languages)
    page.configure(data.settings)
  })
  parent.postMessage({ type: 'botstead:loaded' }, location.origin)
}
