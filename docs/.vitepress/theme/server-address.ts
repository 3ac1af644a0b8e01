// Pages show the address of the server that serves them, so that readers can copy commands.

/** The address in the sources of the documentation. */
const usualAddress = 'http://127.0.0.1:4000'

/** Replaces the usual address in texts and links of the current page. */
export function showServerAddress(): void {
  if (location.origin === usualAddress) return
  const page = document.querySelector('.VPContent')
  if (!page) return
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode as Text
    if (node.data.includes(usualAddress))
      node.data = node.data.replaceAll(usualAddress, location.origin)
  }
  for (const link of page.querySelectorAll<HTMLAnchorElement>(
    `a[href^="${usualAddress}"]`,
  ))
    link.href = link.href.replace(usualAddress, location.origin)
}
