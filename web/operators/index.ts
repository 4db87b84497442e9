import '../tsx.mjs'

// Dynamic, so that the .tsx files below are loaded after the hook that transforms them.
export const { operatorPages } = await import('./routes.ts')
export const { operatorOf } = await import('./session.ts')
