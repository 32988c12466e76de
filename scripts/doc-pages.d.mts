export interface Block {
  readonly language: string;
  readonly kind: string;
  readonly body: string;
  readonly start: number;
  readonly end: number;
}
export interface Page {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}
export function pageNames(): string[];
export function readPage(name: string): Page;
export const sqlPeers: readonly string[];
export const httpPeers: readonly string[];
export function filesOf(page: Page, between?: (index: number) => string, parts?: string): Map<string, string>;
export function referenceNames(): string[];
export function modulesOf(page: Page): Map<string, string>;
