// Values that the server wrote into the page.

const toContent = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)!.content

/** The nonce for styles that libraries insert. */
export const nonce = toContent('style-nonce')

/** The command line of the installation, as its operator types it. */
export const command = toContent('command')

/** The same, for the data folder of this server. */
export const commandHere = toContent('data-folder') + command
