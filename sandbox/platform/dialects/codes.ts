/** An app's refusals have codes such as TEXT_TOO_LONG; a dialect may write them otherwise. */
export const snake = (code: string): string => code.toLowerCase()
export const kebab = (code: string): string => snake(code).replaceAll('_', '-')
export const dotted = (code: string): string => snake(code).replaceAll('_', '.')
export const studly = (code: string): string =>
  snake(code).replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
