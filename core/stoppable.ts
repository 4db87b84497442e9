/** Something that runs in this process until it is told to stop; stopping lets it finish what it began. */
export interface Stoppable {
  stop(): Promise<void>
}
