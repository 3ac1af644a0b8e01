import { inLanguage } from '../../in-language.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages = inLanguage('messages', {
  options: 'Options',
  choose: 'Choose',
  cards: '{count} cards',
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
  openMap: 'Open map',
  invalidAddress: 'Invalid address',
  unusable: '{kind} with an invalid address: ',
  notLoaded: '{kind} could not be loaded: ',
  load: '{kind} from {host}: load',
})
