// Sample media. The bundle contains the files, so that the bot needs no other server.

import clip from '../samples/clip.webm'
import paper from '../samples/paper.pdf'
import picture from '../samples/picture.png'
import sound from '../samples/sound.wav'

export const imageUrl = dataUrl('image/png', picture)
export const audioUrl = dataUrl('audio/wav', sound)
export const videoUrl = dataUrl('video/webm', clip)

/** Files that the bot uploads to its storage before it sends them. */
export const documents = {
  pdf: { key: 'echo-bot/paper.pdf', title: 'paper.pdf', content: Buffer.from(paper) },
  file: {
    key: 'echo-bot/rivers.csv',
    title: 'rivers.csv',
    content: 'river,kilometres\nNile,6650\nAmazon,6400\nYangtze,6300\n',
  },
}

function dataUrl(contentType: string, bytes: Uint8Array): string {
  return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`
}
