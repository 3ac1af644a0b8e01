// Shows the page of a bot with settings that are not saved yet, which the dashboard sends.
import { speak, t } from './texts.js'
import { Timeline } from './timeline.js'

/** Accepts settings of pages of this server only. Sends and stores nothing. */
export function preview(page) {
  page.showEmpty(true)
  // The wheel scrolls the page around the preview, which may be as wide as a phone.
  document.getElementById('scroller').style.overscrollBehavior = 'auto'
  addEventListener('message', async ({ origin, data }) => {
    if (origin !== location.origin || data?.type !== 'botstead:preview') return
    await speak(data.settings.language ? [data.settings.language] : navigator.languages)
    page.configure(data.settings)
    page.showState('online')
    const isStart = data.shows !== 'conversation'
    page.showEmpty(isStart)
    page.log.replaceChildren()
    if (!isStart) showExample(page.log, data.settings)
  })
  parent.postMessage({ type: 'botstead:loaded' }, location.origin)
}

/** A conversation in which the colours and corners of messages appear. */
function showExample(log, { botName, greeting, suggestions = [] }) {
  const send = () => {}
  const timeline = new Timeline(log, { botName, send, rate: async () => true })
  const createdAt = new Date().toISOString()
  const question = suggestions[0] ?? t('yourMessage')
  timeline.add({ id: '1', createdAt, payload: { type: 'text', text: question } }, true)
  const options = suggestions.slice(1, 3).map((label) => ({ label, value: label }))
  const text = greeting || t('answersAppear')
  timeline.add(
    {
      id: '2',
      createdAt,
      payload: { type: options.length > 0 ? 'choice' : 'text', text, options },
    },
    false,
  )
}
