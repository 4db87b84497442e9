import '../core/compiled/load.mjs'

// Dynamic, so that the .tsx files below are loaded after the hook that transforms them.
export const { pages } = await import('./routes.ts')
export const { liveConnect } = await import('./connect/live.ts')
export const { noticeWords } = await import('./notices/words.ts')
export const { showErrorPage } = await import('./errors.ts')
export const { operatorPages, showOperatorError } = await import('./operators/routes.ts')
export const { cardOf } = await import('./card/card.tsx')
export const { cardPage } = await import('./card/card-page.ts')
