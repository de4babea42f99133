import { useState } from 'react';
import type { GalleryPage } from '../gallery/page.ts';
import { Tabs } from './Tabs.tsx';

const NAMES = ['Overview', 'Input', 'Output', 'Permission', 'Hooks', 'Processes', 'Raw events'] as const;

function Example() {
  const [value, setValue] = useState<string>('Output');
  const items = NAMES.map((id) => ({ id, label: id, count: id === 'Hooks' ? 2 : undefined, content: <p>{id}</p> }));
  return <Tabs<string> name="Example" items={items} value={value} onChange={setValue} />;
}

export const gallery: GalleryPage = [
  { title: 'All fit', width: 640, height: 100, show: () => <Example /> },
  { title: 'Too many for the width', width: 280, height: 100, show: () => <Example /> },
];
