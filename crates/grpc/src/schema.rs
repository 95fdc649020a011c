//! `.proto` files and what they import.

use prost_reflect::DescriptorPool;
use protox::Compiler;
use protox::file::{File, FileResolver, GoogleFileResolver};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// More files would say that something else is meant.
const MOST_FILES: usize = 1_000;

/// Reads a file.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<Vec<u8>>;

/// What a `.proto` file and its imports define.
#[derive(Debug, Clone)]
pub struct Schema {
    pub(crate) pool: DescriptorPool,
    /// The services that the file itself defines, or all where it only imports some.
    pub(crate) services: Vec<String>,
}

/// Why a `.proto` file cannot be used. The text names the file that is wrong, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A file that is no valid one.
    #[error("{0}")]
    Invalid(String),
    /// A file that cannot be read.
    #[error("{name}: {why}")]
    Unreadable {
        /// As it is imported.
        name: String,
        /// What the system says.
        why: String,
    },
    /// An import that is in none of the directories.
    #[error("{importer} imports `{name}`, which is in none of these directories: {searched}")]
    NotFound {
        /// As it is imported.
        name: String,
        /// The file with the import.
        importer: String,
        /// Where it was looked for.
        searched: String,
    },
    /// Too many files.
    #[error("it imports more than {MOST_FILES} files")]
    TooMany,
}

impl Schema {
    /// Reads a `.proto` file and what it imports: from `import_paths`, the first that has it, and then from the directory of the file.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or is not valid.
    pub fn read(file: &Path, import_paths: &[PathBuf], read: ReadFile<'_>) -> Result<Self, SchemaError> {
        let beside = file.parent().unwrap_or(Path::new("")).to_owned();
        // Others may import it by the name that it has below an import path.
        let below = import_paths.iter().find_map(|path| file.strip_prefix(path).ok());
        let root = below.unwrap_or(Path::new(file.file_name().unwrap_or_default()));
        let root = root.to_string_lossy().replace('\\', "/");
        let mut files = Files {
            directories: import_paths.iter().cloned().chain([beside]).collect(),
            read,
            known: HashMap::new(),
        };
        files.add(&root, read(file))?;
        files.add_imports(&root)?;
        let mut compiler = Compiler::with_file_resolver(Known(files.known));
        let invalid = |error: protox::Error| SchemaError::Invalid(format!("{error:?}"));
        compiler.include_imports(true).include_source_info(false);
        compiler.open_file(&root).map_err(invalid)?;
        let pool = compiler.descriptor_pool();
        let of_file = pool.get_file_by_name(&root);
        let names = |service: prost_reflect::ServiceDescriptor| service.full_name().to_owned();
        let own: Vec<String> = of_file.iter().flat_map(|file| file.services().map(names)).collect();
        let services = match own.is_empty() {
            true => pool.services().map(names).collect(),
            false => own,
        };
        Ok(Self { pool, services })
    }
}

/// The files that are read, by the names under which they are imported.
struct Files<'a> {
    directories: Vec<PathBuf>,
    read: ReadFile<'a>,
    known: HashMap<String, File>,
}

impl Files<'_> {
    fn add(&mut self, name: &str, read: io::Result<Vec<u8>>) -> Result<(), SchemaError> {
        let unreadable = |why: String| SchemaError::Unreadable {
            name: name.to_owned(),
            why,
        };
        let bytes = read.map_err(|error| unreadable(error.to_string()))?;
        let source = String::from_utf8(bytes).map_err(|_| unreadable("it is no text in UTF-8".to_owned()))?;
        let file = File::from_source(name, &source).map_err(|error| SchemaError::Invalid(format!("{error:?}")))?;
        self.known.insert(name.to_owned(), file);
        Ok(())
    }

    fn add_imports(&mut self, root: &str) -> Result<(), SchemaError> {
        let mut open = vec![root.to_owned()];
        while let Some(importer) = open.pop() {
            let imports = self
                .known
                .get(&importer)
                .map(|file| file.file_descriptor_proto().dependency.clone());
            for name in imports.unwrap_or_default() {
                if self.known.contains_key(&name) {
                    continue;
                }
                if self.known.len() == MOST_FILES {
                    return Err(SchemaError::TooMany);
                }
                self.find(&name, &importer)?;
                open.push(name);
            }
        }
        Ok(())
    }

    fn find(&mut self, name: &str, importer: &str) -> Result<(), SchemaError> {
        let paths: Vec<PathBuf> = self.directories.iter().map(|path| path.join(name)).collect();
        for path in paths {
            match (self.read)(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                read => return self.add(name, read),
            }
        }
        // Those of Google come with the compiler.
        if let Ok(file) = GoogleFileResolver::new().open_file(name) {
            self.known.insert(name.to_owned(), file);
            return Ok(());
        }
        let searched: Vec<String> = self.directories.iter().map(|path| shown(path)).collect();
        Err(SchemaError::NotFound {
            name: name.to_owned(),
            importer: importer.to_owned(),
            searched: searched.join(", "),
        })
    }
}

fn shown(directory: &Path) -> String {
    match directory.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => directory.display().to_string(),
    }
}

/// All files that there are.
struct Known(HashMap<String, File>);

impl FileResolver for Known {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        path.to_str().map(ToOwned::to_owned)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let file = self.0.get(name).cloned();
        file.ok_or_else(|| protox::Error::file_not_found(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &str = "syntax = \"proto3\"; package shop; message Id { uint64 id = 1; }";

    /// Reads `shop/cart.proto` where these files are, and says which services there are.
    fn read(import_paths: &[&str], files: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found
                .map(|(_, text)| text.as_bytes().to_vec())
                .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
        };
        let import_paths: Vec<PathBuf> = import_paths.iter().map(PathBuf::from).collect();
        Schema::read(Path::new("protos/shop/cart.proto"), &import_paths, &read)
            .map(|schema| schema.services)
            .map_err(|error| error.to_string())
    }

    fn cart(imports: &[&str]) -> String {
        let imports: String = imports.iter().map(|name| format!("import \"{name}\";\n")).collect();
        format!(
            "syntax = \"proto3\";\npackage shop;\n{imports}message Empty {{}}\nservice Cart {{ rpc Get(Empty) returns (Empty); }}\n"
        )
    }

    #[test]
    fn imports_are_found_in_import_paths_and_beside_the_file() {
        let services = Ok(vec!["shop.Cart".to_owned()]);
        let by_path = cart(&["shop/types.proto", "google/protobuf/timestamp.proto"]);
        let files = [
            ("protos/shop/cart.proto", by_path.as_str()),
            ("protos/shop/types.proto", TYPES),
        ];
        assert_eq!(read(&["other", "protos"], &files), services);
        let beside = cart(&["types.proto"]);
        let files = [
            ("protos/shop/cart.proto", beside.as_str()),
            ("protos/shop/types.proto", TYPES),
        ];
        assert_eq!(read(&[], &files), services);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let missing = cart(&["shop/types.proto"]);
        assert_eq!(
            read(&["protos"], &[("protos/shop/cart.proto", &missing)]).unwrap_err(),
            "shop/cart.proto imports `shop/types.proto`, which is in none of these directories: protos, protos/shop"
        );
        let misspelt = "syntax = \"proto3\";\nmesage A {}\n";
        assert_eq!(
            read(&[], &[("protos/shop/cart.proto", misspelt)]).unwrap_err(),
            "cart.proto:2:1: expected 'enum', 'extend', 'import', 'message', 'option', 'service', 'package' or ';', but found 'mesage'"
        );
        let unknown = "syntax = \"proto3\";\nmessage A { B b = 1; }\n";
        assert_eq!(
            read(&[], &[("protos/shop/cart.proto", unknown)]).unwrap_err(),
            "cart.proto:2:13: name 'B' is not defined"
        );
        let error = read(&[], &[]).unwrap_err();
        assert!(error.starts_with("cart.proto: "), "{error}");
    }
}
