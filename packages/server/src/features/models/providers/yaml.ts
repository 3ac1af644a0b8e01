// In a bundle, a dynamic import of this CommonJS package has no names; one of this file has.
export { parse } from 'yaml'
