/** The nonce for styles that libraries insert, which the server wrote into the page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')!.content
