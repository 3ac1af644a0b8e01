/** The server itself answers the requests of these integrations. */
export const isChat = ({ name }: { name: string }) => name === 'chat' || name === 'webchat'
